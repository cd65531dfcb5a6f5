"""What every test run shares: where compiled code is kept, and how hard Hypothesis tries."""

import hashlib
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent

os.environ.setdefault("CARAMBA_CACHE_DIR", str(HERE.parent / ".venv" / "cache"))
os.environ["NO_COLOR"] = "1"

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

from caramba import cli  # noqa: E402
from caramba.bots.compiled import CACHE as BOTS  # noqa: E402
from caramba.games.cache import usable  # noqa: E402
from caramba.games.compiled import CACHE, IS_COMPILED  # noqa: E402
from engines import STORES  # noqa: E402
from kit import Run  # noqa: E402

# The name of a cache folder follows the sources of the package, but not those of the
# made-up game: compiled code from another version of it must not be found.
tiny = f"tiny-{hashlib.sha256((HERE / 'tiny.py').read_bytes()).hexdigest()[:8]}"
for cache in (CACHE, BOTS):
    if IS_COMPILED and "PYTEST_XDIST_WORKER" not in os.environ and not (cache / tiny).exists():
        if any(cache.glob("tiny-*")):
            shutil.rmtree(cache)
        (usable(cache) / tiny).touch()

settings.register_profile(
    "caramba",
    deadline=None,
    max_examples=20 if IS_COMPILED else 3,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("caramba")


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a new database: of each engine in turn."""
    with STORES[request.param](tmp_path) as url:
        yield url


@pytest.fixture(scope="module", params=STORES)
def shared_place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Likewise, one for all tests of a file."""
    with STORES[request.param](tmp_path_factory.mktemp("shared")) as url:
        yield url


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command: exit code, what it printed, what it complained about."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["caramba", *map(str, arguments)])
        before = signal.getsignal(signal.SIGPIPE)  # a command gives up when nobody reads on
        with pytest.raises(SystemExit) as exit_:
            cli.run()
        signal.signal(signal.SIGPIPE, before)
        printed = capsys.readouterr()
        return int(exit_.value.code or 0), printed.out, printed.err

    return run
