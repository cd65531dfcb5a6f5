// Two players at each of so many tables, one move after the other, as fast as it goes:
// `node players.cjs PORT TABLES SECONDS` says how many moves a second, and how long they take.
const { io } = require("socket.io-client");

const [port, tables, seconds] = process.argv.slice(2).map(Number);
const address = `http://127.0.0.1:${port}`;
const delays = [];
let counting = false;
let moves = 0;

async function post(path, body) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" } };
  const answer = await fetch(address + path, { ...options, body: JSON.stringify(body) });
  return answer.json();
}

async function table() {
  const { matchID } = await post("/games/peer/create", { numPlayers: 2 });
  const sent = { at: 0, by: "", id: -1 };
  for (const seat of ["0", "1"]) {
    const joined = await post(`/games/peer/${matchID}/join`, { playerID: seat, playerName: seat });
    sit(matchID, seat, joined.playerCredentials, sent);
  }
}

function sit(matchID, seat, credentials, sent) {
  const socket = io(`${address}/peer`, { transports: ["websocket"] });
  const answer = (state) => {
    if (sent.by !== seat && state._stateID > sent.id && counting) {
      moves += 1;
      delays.push(performance.now() - sent.at);
    }
    if (state.ctx.currentPlayer !== seat || state._stateID <= sent.id) return;
    const payload = { type: "lay", args: [Math.floor(Math.random() * 5)], playerID: seat, credentials };
    Object.assign(sent, { at: performance.now(), by: seat, id: state._stateID });
    socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, matchID, seat);
  };
  socket.on("connect", () => socket.emit("sync", matchID, seat, credentials, 2));
  socket.on("sync", (_, { state }) => answer(state));
  socket.on("update", (_, state) => answer(state));
}

async function main() {
  for (let made = 0; made < tables; made++) await table();
  await new Promise((done) => setTimeout(done, 2000));
  counting = true;
  await new Promise((done) => setTimeout(done, seconds * 1000));
  counting = false;
  delays.sort((one, other) => one - other);
  const share = (percent) => delays[Math.floor((delays.length * percent) / 100)];
  console.log(JSON.stringify({ moves: moves / seconds, median: share(50), slowest: share(99) }));
  process.exit(0);
}

void main();
