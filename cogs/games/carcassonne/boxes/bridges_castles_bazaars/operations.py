"""What buttons and modals do that only this box has."""

from __future__ import annotations

from typing import Final

from cogs.presenting.ids import OwnOp, own

LOT: Final = own(OwnOp("lot", decides=True))
"""Ask for the opening bid for the lot in the argument."""
OTHER: Final = own(OwnOp("other", decides=True))
"""Ask for an amount; the argument is ``bid`` or the number of a lot."""
AMOUNT: Final = own(OwnOp("amount", decides=True, moves=True, typed=True))
"""The modal that ``OTHER`` opens."""
SEALED: Final = own(OwnOp("sealed", typed=True))
"""The modal that ``Op.ORDERS`` opens; the argument is the number of the bazaar."""
TOWNS: Final = own(OwnOp("towns", private=True))
"""Say what somebody does with towns in one game; the argument is the value of the setting."""
