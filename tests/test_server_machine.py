"""Whole tables over real sockets, whatever people do: come, go, send twice, late, early, nonsense.

What was accepted is in the log exactly once, everybody is told the same story, and what comes out
is a game that verifies.
"""

import json
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from websockets.exceptions import ConnectionClosed

from caramba.games import names
from caramba.games.compiled import IS_COMPILED
from caramba.match.verify import verify
from engines import STORES
from facts import facts
from server_kit import Message, Player, Running, play_on, serving

PEOPLE = 2
seats = st.integers(0, PEOPLE - 1)
WISH = "wish-"
"""How the keys of what is no entry of the log begin."""
nonsense = st.one_of(
    st.text(max_size=60),
    st.binary(max_size=60),
    st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=8), max_size=4).map(
        json.dumps
    ),
    st.builds(
        lambda kind, number, key: json.dumps({"type": kind, "number": number, "key": key}),
        st.sampled_from(["act", "take_back", "consent", "vote", "leave!", "hello"]),
        st.integers(-5, 10**9),
        st.text(max_size=70),
    ),
)


class Crowd(RuleBasedStateMachine):
    """Two people and a bot at a table of a server that is restarted now and then."""

    store = "sqlite"

    def __init__(self) -> None:
        super().__init__()
        self.leaving = ExitStack()
        self.folder = Path(self.leaving.enter_context(TemporaryDirectory()))
        self.place = self.leaving.enter_context(STORES[self.store](self.folder))
        self.serve()
        self.accepted: dict[tuple[int, str], int] = {}
        """By seat and key: the number after what was accepted."""
        self.sent: list[tuple[int, Message]] = []
        self.told: dict[tuple[int, int], list[Message]] = {}

    def serve(self) -> None:
        self.running = self.leaving.enter_context(ExitStack())
        self.server: Running = self.running.enter_context(serving(self.place))

    @initialize(game=st.sampled_from(names()))
    def sit_down(self, game: str) -> None:
        options = facts(game).quick
        self.table, self.tokens = self.server.full(game, PEOPLE, bots=1, options=options)
        self.players = self.server.all_players(self.table, self.tokens)

    # What people do

    @rule(seat=seats, choice=st.integers(0, 99))
    def act(self, seat: int, choice: int) -> None:
        player = self.players[seat]
        self.hear(player)
        if player.my_turn:
            legal = player.news["view"]["legal"]
            action = legal[choice % len(legal)]["text"]
            number = player.news["number"]
            self.send(
                seat, {"type": "act", "key": player.key(), "number": number, "action": action}
            )

    @rule(seat=seats)
    def take_back(self, seat: int) -> None:
        player = self.players[seat]
        self.hear(player)
        number = player.news["number"]
        self.send(seat, {"type": "take_back", "key": player.key(), "number": number})

    @rule(seat=seats, yes=st.booleans())
    def consent(self, seat: int, yes: bool) -> None:
        number = self.players[seat].news["number"]
        self.send(seat, {"type": "consent", "wish": number, "yes": yes})

    @rule(seat=seats, kind=st.sampled_from(["leave", "return", "ping"]))
    def come_and_go(self, seat: int, kind: str) -> None:
        self.send(seat, {"type": kind})

    @rule(seat=seats)
    def vote(self, seat: int) -> None:
        self.send(seat, {"type": "vote", "seat": 1 - seat})

    @rule(which=st.integers(0, 99), seat=seats)
    def send_again(self, which: int, seat: int) -> None:
        """Something that was sent before, late, and perhaps from another seat."""
        if self.sent:
            _, message = self.sent[which % len(self.sent)]
            self.send(seat, message)

    @rule(seat=seats, frame=nonsense)
    def talk_nonsense(self, seat: int, frame: str | bytes) -> None:
        player = self.players[seat]
        with suppress(ConnectionClosed):
            player.socket.send(frame)
        self.hear(player)

    @rule(seat=seats, remember=st.booleans())
    def drop_and_reconnect(self, seat: int, remember: bool) -> None:
        old = self.players[seat]
        old.close()
        have = old.news["number"] if remember else None
        self.players[seat] = self.server.player(self.table, self.tokens[seat], have=have)
        self.players[seat].hear("news")
        assert self.players[seat].welcome["you"] == seat
        assert self.players[seat].news["since"] == 0 or remember

    @rule()
    def restart(self) -> None:
        self.running.close()
        self.serve()
        self.players = self.server.all_players(self.table, self.tokens)

    # What they hear

    def send(self, seat: int, message: Message) -> None:
        if message["type"] != "ping":
            message = {"key": f"{WISH}{len(self.sent)}", **message}
        self.sent.append((seat, message))
        self.players[seat].say(**message)
        self.hear(self.players[seat])

    def hear(self, player: Player) -> None:
        seat = player.welcome["you"]
        for message in player.ping():
            if message["type"] == "accepted" and not message["key"].startswith(WISH):
                number = self.accepted.setdefault((seat, message["key"]), message["number"])
                assert number == message["number"], "what is accepted stays as it was"
            elif message["type"] == "refused":
                assert message["reason"]
            elif message["type"] == "news":
                self.compare(seat, message)

    def compare(self, seat: int, news: Message) -> None:
        """Everybody is told of the same state at the same number."""
        seen = self.told.setdefault((seat, news["number"]), [])
        view = {key: value for key, value in news["view"].items() if key != "legal"}
        assert not seen or seen[0] == view
        seen.append(view)
        assert news["since"] <= news["steps"] <= news["number"]
        assert all(news["since"] <= told["step"] < news["steps"] for told in news["events"])

    # What must be so

    @invariant()
    def what_was_accepted_is_kept_once(self) -> None:
        if not hasattr(self, "table"):
            return
        kept = [(row["who"], row["key"]) for row in self.server.log(self.table) if row["key"]]
        assert len(kept) == len(set(kept))
        for key, number in self.accepted.items():
            assert kept.count(key) == 1
            row = self.server.log(self.table)[number - 1]
            assert (row["who"], row["key"]) == key

    def teardown(self) -> None:
        """Play to the end: whatever happened before, the game verifies."""
        try:
            if hasattr(self, "table"):
                self.play_to_the_end()
        finally:
            self.leaving.close()

    def play_to_the_end(self) -> None:
        for player in self.players:
            player.say(type="return", key=f"{WISH}end")
            self.hear(player)
        play_on(self.players)
        saved = self.folder / "game.jsonl"
        saved.write_bytes(self.server.get(f"/api/tables/{self.table}/saved").content)
        verdict = verify(saved)
        assert verdict.good, verdict.message
        assert verdict.fair
        self.what_was_accepted_is_kept_once()


class CrowdOnPostgresql(Crowd):
    """The same, kept elsewhere."""

    store = "postgresql"


TestCrowd, TestCrowdOnPostgresql = Crowd.TestCase, CrowdOnPostgresql.TestCase
TestCrowd.settings = TestCrowdOnPostgresql.settings = settings(
    max_examples=4 if IS_COMPILED else 2,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
