// boardgame.io as its own documents set it up, with its storage in files: node server.cjs FOLDER
const { FlatFile, Server } = require('boardgame.io/server');

const { game } = require('./game.cjs');

const db = new FlatFile({ dir: process.argv[2], ttl: false });
const server = Server({ games: [game], db, origins: ['*'] });
server.run({ port: 0 }).then(({ appServer }) => {
  process.stdout.write(`open at http://127.0.0.1:${appServer.address().port}\n`);
});
