"""Over HTTP: where others find this server. Whoever plays on the machine itself cannot know."""

from contextlib import suppress
from ipaddress import ip_address
from socket import AF_INET, SOCK_DGRAM, socket

from caramba.bodies import Reached
from caramba.server.http.routing import Call, Endpoints, JsonAnswer

ENDPOINTS = Endpoints()
EVERYWHERE = ("0.0.0.0", "::")


@ENDPOINTS.add("GET", "/address")
def address(call: Call) -> JsonAnswer[Reached]:
    """Where others in the same network find this server; told on the machine itself only."""
    place = call.request.app.state.place
    place = own_address() if place in EVERYWHERE else place
    if is_own(place) or not is_own(call.address):
        return JsonAnswer(Reached(address=None))
    port = call.request.scope["server"][1]
    return JsonAnswer(Reached(address=address_at(place, port)))


def address_at(place: str, port: int) -> str:
    """An address of the page, without what follows the port."""
    return f"http://[{place}]:{port}" if ":" in place else f"http://{place}:{port}"


def is_own(place: str) -> bool:
    """Whether only this machine calls itself so."""
    with suppress(ValueError):
        return ip_address(place).is_loopback
    return place == "localhost"


def own_address() -> str:
    """The address of this machine in its network; its own name for itself if it has none."""
    with socket(AF_INET, SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only finds out the way
        return str(probe.getsockname()[0])
    return "127.0.0.1"
