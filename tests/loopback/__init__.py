"""A small Discord on loopback sockets: an unmodified bot in another process connects to it.

Start a `LoopbackDiscord`, then a `BotProcess` or the faster `ForkedBot`; members act by methods of the server. A
`Fault` is a failed, lost or delayed request.
"""

from tests.loopback.faults import Fault, FaultKind, Faults
from tests.loopback.interactions import ImpossibleActionError, MemberInteraction
from tests.loopback.limits import Limits
from tests.loopback.process import BotExitedError, BotProcess, ForkedBot
from tests.loopback.requests import RecordedRequest, UploadedFile
from tests.loopback.server import LoopbackDiscord

__all__ = [
    "BotExitedError",
    "BotProcess",
    "Fault",
    "FaultKind",
    "Faults",
    "ForkedBot",
    "ImpossibleActionError",
    "Limits",
    "LoopbackDiscord",
    "MemberInteraction",
    "RecordedRequest",
    "UploadedFile",
]
