"""Whatever is sent to the HTTP interface, it answers, and never with a 5xx."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error

from caramba.games.compiled import IS_COMPILED
from caramba.server.http import api, openapi
from server_kit import Running, serving


def interface() -> Any:
    return schemathesis.openapi.from_dict(openapi.describe(api.ACTIONS))


OPERATIONS = {found.ok().label: found.ok() for found in interface().get_all_operations()}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("schema")) as running:
        yield running


@pytest.mark.parametrize("operation", OPERATIONS)
@settings(
    max_examples=20 if IS_COMPILED else 8,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_no_request_makes_the_server_stumble(
    server: Running, operation: str, data: st.DataObject
) -> None:
    mode = data.draw(st.sampled_from(list(schemathesis.GenerationMode)))
    case = data.draw(OPERATIONS[operation].as_strategy(generation_mode=mode))
    table, token = table_of(server)
    if "table" in case.path_parameters and data.draw(st.booleans()):
        case.path_parameters["table"] = table
    headers = {"Authorization": f"Bearer {token}"}
    base = f"http://{server.address}"
    case.call_and_validate(base_url=base, headers=headers, checks=[not_a_server_error])


def table_of(server: Running) -> tuple[str, str]:
    """A table at which somebody sits."""
    made = server.make("race", 2)
    return made["table"], made["token"]


def test_every_operation_is_tried() -> None:
    assert len(OPERATIONS) >= 14
    assert "POST /api/tables" in OPERATIONS
