"""Sets up the environment in .venv where that is due, then runs the command line or the checks.

Runs on a bare Python: standard library only. When all is in place it costs a few milliseconds.
"""

import ast
import fcntl
import hashlib
import json
import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import NoReturn

import page

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "ready.json"
VERSIONS = ROOT / "tools" / "versions.txt"
"""The exact version of everything that may be installed."""
VERSION = "{}.{}".format(*sys.version_info)
TESTS = ["cluster", "dev", "page", "plots", "scale"]
ASKED_FOR = {"arena": ["plots"], "bench": ["plots"]}
"""By command: what it needs beyond what playing does."""


def main() -> None:
    """Set up if need be, and run the job."""
    job, arguments = sys.argv[1], sys.argv[2:]
    os.environ.setdefault("CARAMBA_CACHE_DIR", str(VENV / "cache"))
    os.environ["CARAMBA_COMMAND"] = "./caramba"
    tests = job == "test"
    builds = (tests or arguments[:1] in ([], ["serve"])) and page.is_due(tests)
    extras = TESTS if tests else extras_for(arguments, builds)
    fresh = not is_ready(extras)
    if fresh or builds:
        set_up(extras, builds, tests)
    if fresh or Path(sys.prefix) != VENV:
        os.execv(PYTHON, [str(PYTHON), __file__, job, *arguments])
    if tests:
        sys.argv = ["test", *arguments]
        runpy.run_path(str(ROOT / "tools" / "checks.py"), run_name="__main__")
    else:
        run_caramba(arguments)


def extras_for(arguments: list[str], builds: bool) -> list[str]:
    """What a command needs beyond what playing does: all else is left out until it is asked for."""
    nodejs = ["page"] if builds and not page.npm_here() else []
    return [*ASKED_FOR.get(arguments[0] if arguments else "", []), *nodejs]


def run_caramba(arguments: list[str]) -> None:
    """The command line, unless packages have gone missing."""
    try:
        from caramba.cli import run
    except ModuleNotFoundError as error:
        STAMP.unlink(missing_ok=True)
        fail(f"{error}: the environment is damaged; run this again and it is made anew.")
    sys.argv = ["caramba", *arguments]
    run()


# Is it set up?


def declared() -> str:
    """What the environment is made from; it is made anew when this changes."""
    content = (ROOT / "pyproject.toml").read_bytes() + VERSIONS.read_bytes()
    return hashlib.sha256(content + str(ROOT).encode()).hexdigest()


def stamp() -> dict[str, object]:
    """What the environment says of itself."""
    try:
        content = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def installed_extras() -> list[str]:
    """The extras that are there from an earlier set-up."""
    extras = stamp().get("extras", [])
    return extras if isinstance(extras, list) else []


def is_ready(extras: list[str]) -> bool:
    """Whether nothing has to be installed."""
    return (
        stamp().get("declared") == declared()
        and set(extras) <= set(installed_extras())
        and os.access(PYTHON, os.X_OK)
        and (Path(sys.prefix) != VENV or stamp().get("python") == VERSION)
    )


# Setting up


@contextmanager
def alone() -> Iterator[None]:
    """Only one start sets up at a time; the others wait for it."""
    try:
        VENV.mkdir(exist_ok=True)
        lock = os.open(ROOT / "tools", os.O_RDONLY)  # a folder that no set-up clears away
    except OSError as error:
        fail(f"cannot set up {VENV}: {error.strerror}")
    try:
        if not try_lock(lock):
            tell("waiting for another set-up to finish ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def set_up(extras: list[str], builds: bool, tests: bool) -> None:
    """Install what is declared, and build the page: beside that, if Node.js is here already."""
    with alone():
        builds = builds and page.is_due(tests)
        early = Building(tests) if builds and page.npm_here() else None
        try:
            if not is_ready(extras):
                make(sorted({*extras, *installed_extras()}))
            if builds:
                (early or Building(tests)).finish()
        finally:
            if early:
                early.stop()


def make(extras: list[str]) -> None:
    """Make the environment; only when all is there, it says so."""
    make_environment()
    install(extras)
    content = {"declared": declared(), "extras": extras, "python": version_of(PYTHON)}
    STAMP.write_text(json.dumps(content))


def try_lock(handle: int) -> bool:
    """Whether nobody else is setting up."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def make_environment() -> None:
    """A virtual environment with pip in it."""
    as_it_was = stamp().get("python") in (None, version_of(PYTHON))
    if as_it_was and answer(PYTHON, "-m", "pip", "--version"):
        return
    try:
        import ensurepip
        import venv  # noqa: F401
    except ImportError:
        fail(
            "Python's venv module is missing. On Debian or Ubuntu: apt-get install python3-venv"
            " - then run this again."
        )
    del ensurepip
    tell(f"setting up an environment of about 400 MB in {VENV} (once)")
    base = Path(getattr(sys, "_base_executable", sys.executable))
    made = subprocess.run([base, "-m", "venv", "--clear", VENV], capture_output=True, text=True)
    if made.returncode:
        fail(f"could not make the environment {VENV}: {last_line(made.stdout + made.stderr)}")


def answer(*command: str | Path) -> str:
    """What a command prints; nothing if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def version_of(python: Path) -> str:
    """The version of a Python, such as 3.11."""
    return answer(python, "-c", "import sys; print('{}.{}'.format(*sys.version_info))")


def install(extras: list[str]) -> None:
    """Install Caramba from this checkout, with what it needs: by uv where it can be had, or pip."""
    what = ["--editable", f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)]
    if (uv := find_uv()) and run_installer([*uv, *what], settings_for_uv()) is None:
        return
    said = run_installer([*PIP, "--constraint", str(VERSIONS), *what], {})
    if said is not None:
        explain_failed_install(said)


PIP = [str(PYTHON), "-P", "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]


def find_uv() -> list[str] | None:
    """How uv installs: the machine's, or one fetched into the environment; None without either."""
    ours = VENV / "bin" / "uv"
    if not (shutil.which("uv") or ours.exists()):
        show_step("fetching uv, which installs faster")
        answer(*PIP, "--retries", "1", "--constraint", VERSIONS, "uv")
    found = shutil.which("uv") or (str(ours) if ours.exists() else None)
    versions = ["--constraints", str(VERSIONS), "--build-constraints", str(VERSIONS)]
    return [found, "pip", "install", "--python", str(PYTHON), *versions] if found else None


PIP_AND_UV = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
}
"""What pip calls a setting, and the variable by which uv is told the same."""


def settings_for_uv() -> dict[str, str]:
    """Where this machine gets its packages from, as pip knows it."""
    settings = {}
    for line in answer(PYTHON, "-P", "-m", "pip", "config", "list").splitlines():
        name, _, value = line.partition("=")
        if variable := PIP_AND_UV.get(name.rpartition(".")[2]):
            words = str(ast.literal_eval(value)).split()
            settings[variable] = ("," if variable == "UV_FIND_LINKS" else " ").join(words)
    if "UV_INDEX" in settings:
        settings["UV_INDEX_STRATEGY"] = "unsafe-best-match"  # as pip has it
    return {name: value for name, value in settings.items() if name not in os.environ}


def run_installer(command: list[str], settings: dict[str, str]) -> list[str] | None:
    """Install, showing each package: None if that is done, else all that was said."""
    lines: list[str] = []
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **settings},
    ) as installer:
        assert installer.stdout
        for line in installer.stdout:
            lines.append(line.strip())
            show_progress(line.strip())
    show_step("")
    return lines if installer.returncode else None


BUSY = ("Resolved", "Collecting", "Downloading", "Building", "Prepared", "Installing", "Installed")


def show_progress(line: str) -> None:
    """What an installer is busy with."""
    if line.startswith(BUSY):
        show_step(line)
        if not sys.stderr.isatty():
            tell(line[:110])


SHOWN: dict[str, str] = {}
"""By what is being done: how far it is."""


def show_step(line: str, of: str = "environment") -> None:
    """One changing line on a terminal, wiped in the end by empty ones; elsewhere the first."""
    SHOWN[of] = line
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns - 1
        now = " | ".join(filter(None, SHOWN.values()))
        text = f"caramba: {now}" if now else ""
        print(f"\r{text[:width]:{width}}", end="" if now else "\r", file=sys.stderr, flush=True)
    elif line.endswith("(0 s) ..."):
        tell(line)


def explain_failed_install(lines: list[str]) -> NoReturn:
    """Say what is missing and how to get it."""
    text = "\n".join(lines)
    unreachable = ("NewConnectionError", "ConnectTimeout", "name resolution", "ProxyError")
    if any(word in text for word in unreachable) or "(from versions: none)" in text:
        fail(
            "the Python package registry cannot be reached, and packages are missing. Connect to"
            " the network, or point PIP_INDEX_URL at a mirror, then run this again."
        )
    errors = [line for line in lines if "error" in line.lower()]
    tell("\n".join(["pip says:", *lines[-20:]]))
    fail(f"could not install what is needed: {errors[-1] if errors else 'pip gave no reason'}")


class Stopped(Exception):
    """Something else went wrong meanwhile."""


class Building(Thread):
    """The page, as it is being built beside other things."""

    def __init__(self, tests: bool) -> None:
        super().__init__()
        self.tests, self.stopped, self.failure = tests, False, ""
        self.start()

    def run(self) -> None:
        """Build it."""
        try:
            page.build(self.progress, self.tests)
        except Stopped:
            pass
        except (page.NotBuilt, OSError) as error:
            self.failure = str(error)

    def progress(self, line: str) -> None:
        """Show how far it is; a good place to stop."""
        if self.stopped:
            raise Stopped
        show_step(line, of="page")

    def finish(self) -> None:
        """Wait for it."""
        self.join()
        if self.failure:
            fail(self.failure)

    def stop(self) -> None:
        """Leave it, unless it is done."""
        self.stopped = True
        self.join()


def last_line(text: str) -> str:
    """The last line that says something."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "no reason given")


def tell(message: str) -> None:
    """Say how far it is."""
    print(f"caramba: {message}", file=sys.stderr, flush=True)


def fail(message: str) -> NoReturn:
    """Say what is wrong, and stop."""
    tell(message)
    sys.exit(2)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        tell("interrupted; run it again to go on.")
        sys.exit(130)
