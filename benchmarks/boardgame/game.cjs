// A card game for two, about as large as a game of flip: a pack of 54 that nobody sees, hands of five, eight
// stacks. A move lays a card on a stack and draws the next one. The server alone runs moves, since hands are
// secret.
const { PlayerView } = require('boardgame.io/core');

const STACKS = 8;
const HAND = 5;
const CARDS = 54;

function play({ G, playerID }, index, stack) {
  const hand = G.players[playerID].hand;
  if (!(index in hand) || !(stack in G.stacks)) return 'INVALID_MOVE';
  const [card] = hand.splice(index, 1);
  G.stacks[stack].push(card);
  if (G.secret.pack.length === 0) {
    G.secret.pack = G.stacks.flatMap((cards) => cards.splice(0, Math.max(0, cards.length - 1)));
  }
  hand.push(G.secret.pack.pop());
  return undefined;
}

module.exports.game = {
  name: 'stacks',
  setup: ({ random }) => {
    const pack = random.Shuffle([...Array(CARDS).keys()]);
    const deal = (count) => pack.splice(0, count);
    return {
      secret: { pack },
      players: { 0: { hand: deal(HAND) }, 1: { hand: deal(HAND) } },
      stacks: Array.from({ length: STACKS }, () => deal(1)),
    };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { play: { move: play, client: false } },
};
