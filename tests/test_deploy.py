"""What is in deploy/ fits what the server is: names, files, figures. Its scripts are really run."""

import configparser
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis
import sqlalchemy as sql
import yaml

import engines
from caramba.cli.serve import serve
from caramba.server import telemetry
from server_kit import play_on, serving
from test_server_operations import until

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file() and "backups" not in path.parts)
SCRIPTS = sorted(DEPLOY.glob("*.sh"))
UNITS = sorted((DEPLOY / "systemd").glob("caramba*.*"))
ENVIRONMENTS = sorted((DEPLOY / "systemd").glob("*.env.example"))
TOLD = [*FILES, ROOT / "Dockerfile", ROOT / "docs" / "operating.md"]
DASHBOARD = json.loads((DEPLOY / "grafana" / "caramba.json").read_text())
ALERTS = yaml.safe_load((DEPLOY / "alerts.yml").read_text())
PROMETHEUS = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())
DOCKERFILE = (ROOT / "Dockerfile").read_text()
CADDYFILE = (DEPLOY / "Caddyfile").read_text()
EXAMPLE = (DEPLOY / ".env.example").read_text()
CHOSEN = dict(re.findall(r"^#?([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE))
"""What .env.example lets people choose, and what it says unless they do."""


def as_compose_reads(text: str, chosen: dict[str, str]) -> str:
    """The text with what was chosen in it, or what stands there for it."""

    def value(found: re.Match[str]) -> str:
        name, rest = found.groups()
        return chosen.get(name) or rest.removeprefix(":-")

    return re.sub(r"\$\{(\w+)([^}]*)\}", value, text)


COMPOSE_TEXT = (DEPLOY / "compose.yaml").read_text()
GIVEN = {"CARAMBA_SITE": "play.example.org", "POSTGRES_PASSWORD": "x", "REDIS_PASSWORD": "Zoe"}
COMPOSE = yaml.safe_load(as_compose_reads(COMPOSE_TEXT, GIVEN))
SERVICES: dict[str, Any] = COMPOSE["services"]
OPTIONS = {f"CARAMBA_SERVE_{str(option.name).upper()}": option for option in serve.params}


# What is told to `caramba serve`


@pytest.mark.parametrize("file", TOLD, ids=lambda file: file.name)
def test_every_variable_and_option_exists(file: Path) -> None:
    text = file.read_text()
    ours = {*OPTIONS, *CHOSEN, "CARAMBA_CACHE_DIR", "CARAMBA_BACKUP_FOLDER", "CARAMBA_BACKUP_DAYS"}
    assert set(re.findall(r"\bCARAMBA_[A-Z_]+", text)) - ours == set()
    known = {name for option in serve.params for name in [*option.opts, *option.secondary_opts]}
    for command in re.findall(r"caramba serve([^\n`|]*)", text):
        assert set(re.findall(r"(?<!\S)--[a-z-]+", command)) <= known


def environment_of(service: str) -> dict[str, str]:
    return {name: str(value) for name, value in SERVICES[service]["environment"].items()}


def written(file: Path) -> dict[str, str]:
    """What an environment file sets."""
    lines = re.findall(r'^([A-Z_]+)="?(.*?)"?$', file.read_text(), re.MULTILINE)
    return dict(lines)


def settings(monkeypatch: pytest.MonkeyPatch, given: dict[str, str]) -> dict[str, Any]:
    """What `caramba serve` understands of its environment; it complains of what it does not."""
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    context = serve.make_context("serve", [], auto_envvar_prefix="CARAMBA_SERVE")
    return dict(context.params)


def test_the_containers_are_told_what_they_understand(monkeypatch: pytest.MonkeyPatch) -> None:
    front = SERVICES["caddy"]["networks"]["front"]["ipv4_address"]
    inner = set()
    for service in ("caramba-1", "caramba-2"):
        told = settings(monkeypatch, environment_of(service))
        assert told["proxy"] == (f"{front}/32",), "Caddy is believed, and nobody else"
        assert told["allow_host"] == ("play.example.org",)
        assert told["database"].startswith("postgresql://")
        assert told["redis"]
        assert told["inner"].split(":")[0] == SERVICES[service]["networks"]["back"]["ipv4_address"]
        inner.add(told["inner"])
    assert len(inner) == 2


@pytest.mark.parametrize("file", ENVIRONMENTS, ids=lambda file: file.name)
def test_the_examples_for_systemd_are_understood(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    told = settings(monkeypatch, written(file))
    assert told["host"] == "127.0.0.1", "who is behind a proxy is reached by it only"
    assert told["proxy"] == ("127.0.0.1/32",)
    assert bool(told["redis"]) == (told["workers"] > 1) == ("postgresql:" in told["database"])


# Containers


def test_all_that_can_be_chosen_is_explained() -> None:
    used = dict(re.findall(r"\$\{(\w+)(?::-)?([^}]*)\}", COMPOSE_TEXT))
    assert used.keys() == CHOSEN.keys()
    for name in re.findall(r"^#([A-Z_]+)=", EXAMPLE, re.MULTILINE):
        assert used[name] == CHOSEN[name], f"{name} is said to be another"


def test_nothing_is_reached_from_outside_but_the_proxy() -> None:
    ports = {service: told["ports"] for service, told in SERVICES.items() if "ports" in told}
    assert ports.keys() == {"caddy"}
    assert {port.rsplit(":", 1)[1].split("/")[0] for port in ports["caddy"]} == {"80", "443"}
    assert COMPOSE["networks"]["back"]["internal"]
    for service in ("postgres", "redis", "prometheus", "grafana", "backup"):
        assert set(SERVICES[service]["networks"]) == {"back"}


@contextmanager
def redis_of_compose(port: int) -> Iterator["subprocess.Popen[bytes]"]:
    """The Redis of a site, on a port of this machine."""
    program = engines.redis_program() or engines.do_without("Redis")
    *shell, script = SERVICES["redis"]["command"]
    here = f"{program} - --bind 127.0.0.1 --port {port}"
    command = [*shell, script.replace("redis-server -", here, 1).replace("$$", "$")]
    environment = {"PATH": os.environ["PATH"], **environment_of("redis")}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as running:
        try:
            yield running
        finally:
            running.kill()


def test_redis_is_asked_for_a_password_that_only_workers_know() -> None:
    port = engines.free_port()
    (told,) = {environment_of(f"caramba-{n}")["CARAMBA_SERVE_REDIS"] for n in (1, 2)}
    url = told.replace("redis:6379", f"127.0.0.1:{port}")
    with redis_of_compose(port) as running, redis.Redis.from_url(url) as known:
        until(lambda: answers(known))
        with redis.Redis(port=port) as stranger, pytest.raises(redis.AuthenticationError):
            stranger.ping()
        assert GIVEN["REDIS_PASSWORD"] not in Path(f"/proc/{running.pid}/cmdline").read_text()
        assert known.config_get("maxmemory")["maxmemory"] == str(2**28)
        assert known.config_get("save") == {"save": ""}


def answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


def test_the_example_for_a_club_gets_a_password(tmp_path: Path) -> None:
    """By the very lines that are told."""
    (change,) = re.findall(
        r'^sudo (sed -i "[^"]*password[^"]*") /etc/caramba/caramba.env$',
        (ROOT / "docs" / "operating.md").read_text(),
        re.MULTILINE,
    )
    file = shutil.copy(DEPLOY / "systemd" / "club.env.example", tmp_path)
    subprocess.run(["sh", "-c", f"password=Zoe; {change} {file}"], check=True)
    assert written(Path(file))["CARAMBA_SERVE_REDIS"] == "redis://:Zoe@127.0.0.1:6379/0"
    assert Path(file).read_text().count("Zoe") == 1


def test_every_service_starts_again_and_its_log_ends() -> None:
    for told in SERVICES.values():
        assert told["restart"] == "unless-stopped"
        assert told["logging"]["options"].keys() == {"max-size", "max-file"}
        assert told["mem_limit"]
    watching = {service for service, told in SERVICES.items() if "profiles" in told}
    assert watching == {"prometheus", "grafana"}


def test_images_have_a_version() -> None:
    images = [told["image"] for told in SERVICES.values() if "build" not in told]
    images += re.findall(r"^FROM (\S+:\S+)", DOCKERFILE, re.MULTILINE)
    (python,) = re.findall(r"^ARG PYTHON=(.*)$", DOCKERFILE, re.MULTILINE)
    for image in images:
        assert re.search(r":v?\d+", image.replace("${PYTHON}", python)), image
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f">={python}" == project["requires-python"]


def test_every_file_and_volume_is_there() -> None:
    for told in SERVICES.values():
        for volume in told.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("./"):
                assert (DEPLOY / source).exists() or source == "./backups"
            else:
                assert source in COMPOSE["volumes"]
        for needed in told.get("depends_on", {}):
            assert needed in SERVICES
    mounted = {volume.split(":")[1] for volume in SERVICES["grafana"]["volumes"]}
    for provider in (DEPLOY / "grafana" / "provisioning").rglob("*.yaml"):
        for told in yaml.safe_load(provider.read_text()).get("providers", []):
            assert f"{told['options']['path']}/caramba.json" in mounted


def test_the_image_is_made_of_files_that_are_there() -> None:
    for sources in re.findall(r"^COPY (?!--)(.*) \S+$", DOCKERFILE, re.MULTILINE):
        for source in sources.split():
            assert (ROOT / source).exists()
            kept = (ROOT / ".dockerignore").read_text().splitlines()
            assert any(f"!{part}" in kept for part in (source.strip("/"), source.split("/")[0]))
    assert DOCKERFILE.index("\nUSER caramba") < DOCKERFILE.index("\nENTRYPOINT")
    (check,) = re.findall(r"^HEALTHCHECK .* CMD (.*)$", DOCKERFILE, re.MULTILINE)
    program = json.loads(check)[-1]
    assert "/readyz" in program
    compile(program, "HEALTHCHECK", "exec")


def test_the_proxy_finds_the_workers() -> None:
    given = SERVICES["caddy"]["environment"]
    for name, default in re.findall(r"\{\$(\w+)(:[^}]*)?\}", CADDYFILE):
        assert name in given or default, name
    for upstream in given["UPSTREAMS"].split():
        service, port = upstream.split(":")
        assert service in SERVICES
        assert f"EXPOSE {port}" in DOCKERFILE
    assert CADDYFILE.count("{") == CADDYFILE.count("}")
    for line in ("@inside path /metrics", "request_buffers 16KiB", "health_uri /healthz"):
        assert line in CADDYFILE


# Figures


def samples() -> dict[str, set[str]]:
    """By the name under which Prometheus knows it: the labels of a figure."""
    names: dict[str, set[str]] = {}
    for figure in vars(telemetry).values():
        labels = {"instance", "job", *getattr(figure, "_labelnames", ())}
        match type(figure).__name__:
            case "Gauge":
                names[figure._name] = labels
            case "Counter":
                names[f"{figure._name}_total"] = labels
            case "Histogram":
                names[f"{figure._name}_count"] = names[f"{figure._name}_sum"] = labels
                names[f"{figure._name}_bucket"] = labels | {"le"}
    return names


def expressions() -> Iterator[str]:
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            yield target["expr"]
    for group in ALERTS["groups"]:
        for rule in group["rules"]:
            yield rule["expr"]


@pytest.mark.parametrize("expression", list(expressions()))
def test_figures_that_are_drawn_exist(expression: str) -> None:
    known = samples()
    named = set(re.findall(r"\bcaramba_\w+", expression))
    assert named <= known.keys()
    assert named or expression.startswith(("up{", "sum(up{"))
    for name in named:
        (selected,) = re.findall(rf"{name}(?:\{{(.*?)\}})?", expression)
        labels = set(re.findall(r"(\w+)=", selected))
        labels |= {label for by in re.findall(r"by \((.*?)\)", expression) for label in by.split()}
        assert labels <= known[name]


def test_every_figure_is_drawn() -> None:
    drawn = " ".join(expressions())
    for figure in telemetry.REGISTRY.collect():
        assert figure.name in drawn
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_prometheus_asks_the_workers() -> None:
    (job,) = PROMETHEUS["scrape_configs"]
    (asked,) = job["static_configs"]
    upstreams = SERVICES["caddy"]["environment"]["UPSTREAMS"].split()
    assert asked["targets"] == upstreams
    assert [(DEPLOY / name).exists() for name in PROMETHEUS["rule_files"]] == [True]
    assert 'job="caramba"' in " ".join(expressions())
    assert job["job_name"] == "caramba"


# systemd


def unit(file: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=False, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment]
    parser.read_string(file.read_text())
    return parser


@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.name)
def test_units_are_understood(file: Path, tmp_path: Path) -> None:
    parsed = unit(file)
    assert parsed["Unit"]["Description"]
    for key in ("ExecStart", "EnvironmentFile"):
        value = parsed.get("Service", key, fallback="")
        if "/deploy/" in value:
            assert os.access(DEPLOY / value.split("/deploy/")[1].split()[0], os.X_OK)
    if shutil.which("systemd-analyze"):
        for other in UNITS:
            there = re.sub(r"ExecStart=\S+", "ExecStart=/bin/sh", other.read_text())
            (tmp_path / other.name).write_text(there)
        done = subprocess.run(
            ["systemd-analyze", "verify", tmp_path / file.name], capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_the_service_may_write_where_it_is_told_to() -> None:
    told, saved = (unit(DEPLOY / "systemd" / f"{name}.service") for name in UNIT_NAMES)
    service = told["Service"]
    database = written(DEPLOY / "systemd" / "family.env.example")["CARAMBA_SERVE_DATABASE"]
    assert f"/var/lib/{service['StateDirectory']}/tables.db" in database
    assert f"CARAMBA_CACHE_DIR=/var/cache/{service['CacheDirectory']}" in service["Environment"]
    assert service["ProtectSystem"] == "strict"
    assert service["NoNewPrivileges"] == "yes"
    assert "-HUP" in service["ExecReload"]
    folder = saved["Service"]["ExecStart"].split()[-1]
    assert folder.removeprefix("/var/lib/") in saved["Service"]["StateDirectory"].split()
    assert saved["Service"]["User"] == service["User"]


UNIT_NAMES = ("caramba", "caramba-backup")


# Scripts


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_scripts_are_understood_by_a_plain_shell(script: Path) -> None:
    subprocess.run(["sh", "-n", script], check=True)
    is_read_in = script.name == "database.sh"
    assert os.access(script, os.X_OK) != is_read_in


@pytest.mark.parametrize("name", ["backup.sh", "restore.sh", "install.sh"])
def test_scripts_help(name: str) -> None:
    done = run(name, "--help", database="")
    assert (done.returncode, done.stdout.split()[:2]) == (0, ["usage:", name])


def run(name: str, *arguments: object, database: str, **more: str) -> Any:
    """Run one of our scripts; the programs of PostgreSQL may be where Debian hides them."""
    folder = engines.postgres_folder()
    path = f"{folder}:{os.environ['PATH']}" if folder else os.environ["PATH"]
    return subprocess.run(
        [DEPLOY / name, *map(str, arguments)],
        capture_output=True,
        text=True,
        env={"PATH": path, "CARAMBA_SERVE_DATABASE": database, **more},
    )


def wait_for_another_second() -> None:
    """Back-ups are named by the second, and none takes the place of another."""
    now = int(time.time())
    while int(time.time()) == now:
        time.sleep(0.01)


def test_a_back_up_of_a_file_is_put_back(tmp_path: Path) -> None:
    file, kept = tmp_path / "tables.db", tmp_path / "kept"
    url = f"sqlite:///{file}"
    with serving(tmp_path) as server:
        table, tokens = server.full("race", 2, options={"max_races": 1})
        players = server.all_players(table, tokens)
        play_on(players, steps=6)
        then = players[0].news["number"]
        done = run("backup.sh", kept, database=url)
        assert done.returncode == 0, done.stderr
        (backup,) = kept.iterdir()
        assert done.stdout.strip() == str(backup)
        assert backup.stat().st_mode & 0o077 == 0
        play_on(players, steps=3)
        later = players[0].news["number"]
        refused = run("restore.sh", "--replace", backup, database=url)
        assert (refused.returncode, "stop it first" in refused.stderr) == (1, True)
    refused = run("restore.sh", backup, database=url)
    assert (refused.returncode, "is there already" in refused.stderr) == (1, True)
    done = run("restore.sh", "--replace", backup, database=url)
    assert (done.returncode, "with 1 tables" in done.stdout) == (0, True), done.stderr
    (aside,) = tmp_path.glob("tables.db.before-*Z")
    assert aside.stat().st_size
    with serving(tmp_path) as server:
        players = server.all_players(table, tokens)
        assert then <= players[0].news["number"] < later
        play_on(players, steps=1)


def test_a_link_is_what_it_leads_to(tmp_path: Path) -> None:
    file, link = tmp_path / "tables.db", tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    link.symlink_to(file)
    with serving(tmp_path) as server:
        table, _ = server.full("cards", 2)
        backup = run("backup.sh", tmp_path / "kept", database=str(link)).stdout.strip()
        refused = run("restore.sh", "--replace", backup, database=str(link))
        assert (refused.returncode, "stop it first" in refused.stderr) == (1, True)
    file.write_bytes(b"")
    refused = run("restore.sh", backup, database=str(link))
    assert (refused.returncode, f"{file} is there already" in refused.stderr) == (1, True)
    done = run("restore.sh", "--replace", backup, database=str(link))
    assert (done.returncode, str(file) in done.stdout) == (0, True), done.stderr
    assert link.is_symlink()
    assert list(link.parent.iterdir()) == [link]
    with serving(f"sqlite:///{link}") as server:
        assert server.get(f"/api/tables/{table}").status_code == 200


@pytest.fixture
def a_file(tmp_path: Path) -> Path:
    """The database of a server that has been stopped."""
    with serving(tmp_path) as server:
        server.full("cards", 2)
    return tmp_path / "tables.db"


def test_a_back_up_that_is_damaged_changes_nothing(a_file: Path, tmp_path: Path) -> None:
    backup = Path(run("backup.sh", tmp_path / "kept", database=str(a_file)).stdout.strip())
    before = a_file.read_bytes()
    whole = backup.read_bytes()
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE other (x)")
    for content in (whole[: len(whole) // 2], b"not a database", b"", other.read_bytes()):
        backup.write_bytes(content)
        refused = run("restore.sh", "--replace", backup, database=str(a_file))
        assert refused.returncode == 1
        assert refused.stderr.startswith("restore.sh: ")
    assert a_file.read_bytes() == before
    assert not list(tmp_path.glob("*.part"))


def test_old_back_ups_go_and_nothing_else_does(a_file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    names = ("caramba-20200101T000000Z.db", "caramba-20200101T000000Z.dump", "caramba-mine.db")
    for name in names:
        (kept / name).touch()
        os.utime(kept / name, (0, 0))
    forever = run("backup.sh", kept, database=str(a_file), CARAMBA_BACKUP_DAYS="0")
    assert {path.name for path in kept.iterdir()} > set(names)
    wait_for_another_second()
    done = run("backup.sh", database=f"sqlite:///{a_file}", CARAMBA_BACKUP_FOLDER=str(kept))
    left = {Path(made.stdout.strip()).name for made in (forever, done)}
    assert {path.name for path in kept.iterdir()} == {*left, "caramba-mine.db"}


def test_a_back_up_that_fails_leaves_nothing(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (tmp_path / "text").write_text("not a database, but long enough to be taken for one" * 50)
    for name in ("text", "nothing"):
        failed = run("backup.sh", kept, database=str(tmp_path / name))
        assert (failed.returncode, failed.stdout) == (1, "")
        assert failed.stderr.startswith("backup.sh: ")
        assert not list(kept.iterdir())


@pytest.mark.parametrize(
    ("name", "arguments", "database", "more"),
    [
        ("backup.sh", ["folder"], "", {}),
        ("backup.sh", [], "tables.db", {}),
        ("backup.sh", ["folder"], "mysql://localhost/tables", {}),
        ("backup.sh", ["folder"], "tables.db", {"CARAMBA_BACKUP_DAYS": "a week"}),
        ("backup.sh", ["--fast", "folder"], "tables.db", {}),
        ("restore.sh", ["backup.db"], "", {}),
        ("restore.sh", [], "tables.db", {}),
        ("restore.sh", ["one.db", "two.db"], "tables.db", {}),
        ("restore.sh", ["--force", "one.db"], "tables.db", {}),
    ],
)
def test_who_says_it_badly_is_told_so(
    name: str, arguments: list[str], database: str, more: dict[str, str]
) -> None:
    done = run(name, *arguments, database=database, **more)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(rf"{name}: .*\n", done.stderr)


def test_a_back_up_of_a_postgresql_is_put_back(tmp_path: Path) -> None:
    with engines.new_database(engines.postgres()) as url, engines.executing(url) as execute:
        with serving(tmp_path, database=f"{url}?application_name=other") as server:
            table, tokens = server.full("race", 2, options={"max_races": 1})
            players = server.all_players(table, tokens)
            play_on(players, steps=6)
            done = run("backup.sh", tmp_path, database=url)
            assert done.returncode == 0, done.stderr
            backup = Path(done.stdout.strip())
            refused = run("restore.sh", "--replace", backup, database=url)
            assert (refused.returncode, "stop it first" in refused.stderr) == (1, True)
        many = "SELECT count(*) FROM public.log"
        then = execute(many).scalar()
        execute("DELETE FROM public.log")
        refused = run("restore.sh", backup, database=url)
        assert (refused.returncode, "is not empty" in refused.stderr) == (1, True)
        cut = tmp_path / "cut.dump"
        cut.write_bytes(backup.read_bytes()[:-500])
        assert run("restore.sh", "--replace", cut, database=url).returncode == 1
        assert execute(many).scalar() == 0
        by_our_name = f"{url}?application_name=caramba"
        done = run("restore.sh", "--replace", backup, database=by_our_name)
        assert (done.returncode, "with 1 tables" in done.stdout) == (0, True), done.stderr
        assert 0 < execute(many).scalar() <= then
        schemas = "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'before\\_%'"
        assert execute(schemas).scalar() == 1
        with serving(tmp_path, database=url) as server:
            play_on(server.all_players(table, tokens), steps=1)
        assert engines.PASSWORD not in done.stdout + done.stderr + refused.stderr


PASSWORDS = [
    "postgresql://ana@host/tables",
    "postgresql://ana:secret@host:5432/tables?sslmode=disable",
    "postgresql://ana:se%63r%25%C3%A9t@host/tables",
    "postgresql://ana:100%@host/tables",
    "postgresql://ana:50%off%4@host/tables",
    "postgresql://ana:a/b?c#d@host/tables",
    "postgresql://ana@host/tables?password=secret",
    "postgresql://ana@host/tables?password=a+b%2B%",
    "postgresql://ana:other@host/tables?sslmode=disable&password=secret&connect_timeout=5",
    "postgresql://host/tables?passfile=/password=x&user=ana",
    "postgresql:///tables?host=/run/postgresql",
]


@pytest.mark.parametrize("url", PASSWORDS)
def test_a_password_is_told_as_the_server_reads_it_and_not_in_the_url(url: str) -> None:
    told = (
        f'. {DEPLOY}/database.sh; url=$1; tell_password; printf "%s\\n%s" "$url" "${{PGPASSWORD-}}"'
    )
    done = subprocess.run(
        ["sh", "-euc", told, "sh", url], capture_output=True, env={"PATH": os.environ["PATH"]}
    )
    assert (done.returncode, done.stderr) == (0, b"")
    left, password = done.stdout.decode().split("\n")
    asked = sql.make_url(url)
    assert password == (asked.query.get("password") or asked.password or "")
    kept = asked.difference_update_query(["password"])
    where = (kept.host, kept.port, kept.database, kept.query)
    assert sql.make_url(left) == sql.URL.create(kept.drivername, kept.username, None, *where)


# The package, as the Dockerfile and install.sh make it


@contextmanager
def served(python: Path, folder: Path) -> Iterator[httpx.Client]:
    """A server of another installation; its rules are not compiled, which takes a while."""
    port = engines.free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "CARAMBA_CACHE_DIR": str(folder / "cache"),
        "CARAMBA_SERVE_PORT": str(port),
        "CARAMBA_SERVE_DATABASE": f"sqlite:///{folder / 'tables.db'}",
        "NUMBA_DISABLE_JIT": "1",
    }
    command = [str(python), "-m", "caramba", "serve"]
    with subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE) as server:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as client:
                assert server.stderr
                while b"Caramba! is at" not in (line := server.stderr.readline()):
                    assert line, "it does not start"
                yield client
        finally:
            server.terminate()


def test_a_wheel_serves_the_page(tmp_path: Path) -> None:
    uv = Path(sys.executable).with_name("uv")
    if not uv.exists():
        pytest.skip("there is no uv here, with which a wheel is soon made")
    built = subprocess.run(
        [uv, "build", "--wheel", "--quiet", "--out-dir", tmp_path, ROOT],
        capture_output=True,
        text=True,
        env={**os.environ, "UV_BUILD_CONSTRAINT": str(ROOT / "tools" / "versions.txt")},
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    (packages,) = (tmp_path / "venv").glob("lib/python3*/site-packages")
    with zipfile.ZipFile(wheel) as content:
        content.extractall(packages)
    # What it needs is here already; it comes after the wheel, so that all else is the wheel's.
    (packages / "needs.pth").write_text(str(Path(httpx.__file__).parent.parent))
    with served(tmp_path / "venv" / "bin" / "python", tmp_path) as client:
        page = client.get("/")
        assert page.headers["content-type"].startswith("text/html")
        scripts = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page.text)
        assert scripts
        assert all(client.get(script).status_code == 200 for script in scripts)
        assert client.get("/readyz").status_code == 200, "all its tables were made"
        assert client.get("/api/words/fr").json()["ammunition"] == "munitions"
        assert "la course" in client.get("/api/games/race/rules?lang=fr").text
