// Plays matches of two at full speed: node driver.cjs URL MATCHES
//
// For each line {"seconds": S} it plays for so long, and prints how many moves were made and how long they took
// until both players had them. A match is given up for a new one after some moves, since the server keeps a
// log of each that grows, or when a move does not come back in time; the latter are counted as lost.
const readline = require('node:readline');

const { Client, LobbyClient } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');

const { game } = require('./game.cjs');

const MOVES = 100;
const PATIENCE = 5_000;
const [server, count] = [process.argv[2], Number(process.argv[3])];
const lobby = new LobbyClient({ server });

// Each client has one subscriber for ever: boardgame.io numbers them by their count, so that one who leaves
// may take another away.
const waiting = new Map();

function watch(client) {
  waiting.set(client, new Set());
  client.subscribe((state) => waiting.get(client)?.forEach((look) => look(state)));
}

function until(client, test) {
  return new Promise((resolve, reject) => {
    const looks = waiting.get(client);
    const timer = setTimeout(() => reject(new Error('the server does not answer')), PATIENCE);
    const look = (state) => {
      if (state === null || !test(state)) return;
      clearTimeout(timer);
      looks.delete(look);
      resolve(state);
    };
    looks.add(look);
    look(client.getState());
  });
}

async function begin() {
  const { matchID } = await lobby.createMatch(game.name, { numPlayers: 2 });
  const clients = [];
  for (const playerID of ['0', '1']) {
    const joined = await lobby.joinMatch(game.name, matchID, { playerID, playerName: playerID });
    const client = Client({
      game,
      debug: false,
      numPlayers: 2,
      matchID,
      playerID,
      credentials: joined.playerCredentials,
      multiplayer: SocketIO({ server, socketOpts: { transports: ['websocket'] } }),
    });
    watch(client);
    client.start();
    clients.push(client);
  }
  await Promise.all(clients.map((client) => until(client, (state) => state.isConnected)));
  return clients;
}

async function renew(clients) {
  clients.forEach((client) => {
    client.stop();
    waiting.delete(client);
  });
  clients.splice(0, clients.length, ...(await begin()));
}

async function play(clients, until_, tally) {
  while (performance.now() < until_) {
    const { ctx, _stateID: before } = clients[0].getState();
    const began = performance.now();
    clients[Number(ctx.currentPlayer)].moves.play(Math.floor(Math.random() * 5), before % 8);
    try {
      await Promise.all(clients.map((client) => until(client, (state) => state._stateID > before)));
    } catch {
      tally.lost += 1;
      await renew(clients);
      continue;
    }
    const now = performance.now();
    tally.times.push(now - began);
    tally.moves += now < until_ ? 1 : 0;
    if (before > MOVES) await renew(clients);
  }
}

function say(data) {
  process.stdout.write(`${JSON.stringify(data)}\n`);
}

async function main() {
  const matches = [];
  for (let i = 0; i < count; i += 1) matches.push(await begin());
  say({ ready: count });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { seconds } = JSON.parse(line);
    const used = process.cpuUsage();
    const tally = { moves: 0, lost: 0, times: [] };
    const end = performance.now() + seconds * 1000;
    await Promise.all(matches.map((clients) => play(clients, end, tally)));
    const { user, system } = process.cpuUsage(used);
    const times = tally.times.sort((a, b) => a - b);
    const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
    say({ moves: tally.moves, lost: tally.lost, p50: at(0.5), p99: at(0.99), cpu_ms: (user + system) / 1000 });
  }
  process.exit(0);
}

main().catch((fault) => {
  process.stderr.write(`${fault.stack}\n`);
  process.exit(1);
});
