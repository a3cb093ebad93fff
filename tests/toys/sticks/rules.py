"""The rules of Sticks: take one to three of a heap; who takes the last one loses."""

from dataclasses import dataclass, field, replace

from games.engine import IllegalMove, Outcome
from games.wording import mark as _


@dataclass(frozen=True)
class Options:
    heap: int = field(
        default=10,
        metadata={"label": _("Sticks"), "help": _("In the heap."), "choices": {10: _("ten"), 21: _("twenty-one")}},
    )


@dataclass(frozen=True)
class State:
    seats: int
    left: int
    active: int


class Sticks:
    slug = "sticks"
    version = 1
    seat_counts = range(2, 4)
    Options = Options

    def setup(self, options, seats, chance):
        return State(seats, options.heap, chance.roll(seats))

    def active_seat(self, state):
        return state.active if state.left else None

    def legal_moves(self, state):
        return [f"take {number}" for number in range(1, min(3, state.left) + 1)]

    def apply(self, state, step):
        if step not in self.legal_moves(state):
            raise IllegalMove("unknown_step", step=step)
        taken = int(step.removeprefix("take "))
        news = {"what": "took", "seat": state.active, "number": taken}
        left = state.left - taken
        following = (state.active + 1) % state.seats if left else state.active
        return replace(state, left=left, active=following), (news,)

    def settle(self, state, chance):
        raise AssertionError("nothing is ever owed")

    def outcome(self, state):
        if state.left:
            return None
        return Outcome(tuple(2 if seat == state.active else 1 for seat in range(state.seats)), "last")

    def observe(self, state, viewer):
        return {"viewer": viewer, "count": state.seats, "left": state.left, "active": state.active}

    def imagine(self, observation, chance):
        return State(observation["count"], observation["left"], observation["active"])
