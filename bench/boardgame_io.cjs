// How long a move takes in boardgame.io: from the hand of one client to the eyes of the other, by its own server, which
// keeps everything in memory. Run by `python -m bench.api --beside FOLDER`; prints the median as JSON.
const { Server } = require("boardgame.io/server");
const { Client } = require("boardgame.io/client");
const { InitializeGame } = require("boardgame.io/internal");
const { SocketIO } = require("boardgame.io/multiplayer");

// As small a game as there is: two players add a number in turn.
const game = { name: "adding", setup: () => ({ sum: 0 }), turn: { minMoves: 1, maxMoves: 1 }, moves: { add: ({ G }, n) => { G.sum += n; } } };
const times = Number(process.argv[2] || 60);

const middle = (values) => values.sort((one, other) => one - other)[values.length >> 1];

(async () => {
  const server = Server({ games: [game], origins: ["http://localhost"] });
  const running = await server.run({ port: 0, callback: () => {} });
  const url = `http://localhost:${running.appServer.address().port}`;
  const matchID = "bench";
  await server.db.createMatch(matchID, {
    initialState: InitializeGame({ game, numPlayers: 2 }),
    metadata: { gameName: game.name, players: { 0: { id: 0 }, 1: { id: 1 } }, createdAt: 0, updatedAt: 0 },
  });
  const clients = [];
  for (const playerID of ["0", "1"]) {
    const client = Client({ game, matchID, playerID, multiplayer: SocketIO({ server: url }), debug: false });
    client.start();
    clients.push(client);
  }
  const until = (client, ready) => new Promise((done) => {
    let waits = true;
    client.subscribe((state) => {
      if (waits && state && ready(state)) { waits = false; done(); }
    });
  });
  await Promise.all(clients.map((client) => until(client, (state) => state.isConnected)));
  const moves = [];
  for (let turn = 0; turn < times; turn++) {
    const [mover, other] = [clients[turn % 2], clients[(turn + 1) % 2]];
    await until(mover, (state) => state.ctx.turn === turn + 1);
    const begun = performance.now();
    mover.moves.add(1);
    await until(other, (state) => state.ctx.turn === turn + 2);
    moves.push(performance.now() - begun);
  }
  console.log(JSON.stringify({ "move, boardgame.io": middle(moves) }));
  process.exit(0);
})();
