// A server of boardgame.io, with its store in memory: `node server.cjs PORT`.
const { Server } = require("boardgame.io/server");
const { TurnOrder, PlayerView } = require("boardgame.io/core");

// About what a game of ours is: hands that only their owners see, a pile, one card laid a turn.
const game = {
  name: "peer",
  setup: ({ ctx, random }) => {
    const pile = random.Shuffle([...Array(56).keys()]);
    const hands = Object.fromEntries(ctx.playOrder.map((seat) => [seat, pile.splice(0, 5)]));
    return { secret: { pile }, players: hands, laid: [], left: pile.length };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { order: TurnOrder.DEFAULT, minMoves: 1, maxMoves: 1 },
  moves: {
    lay: {
      client: false,
      move: ({ G, playerID, random }, place) => {
        const hand = G.players[playerID];
        G.laid.push(hand.splice(place, 1)[0]);
        if (G.laid.length > 40) G.secret.pile = random.Shuffle(G.laid.splice(0, 40));
        hand.push(G.secret.pile.pop());
        G.left = G.secret.pile.length;
      },
    },
  },
};

Server({ games: [game], origins: [/.*/] }).run({ port: Number(process.argv[2]) });
