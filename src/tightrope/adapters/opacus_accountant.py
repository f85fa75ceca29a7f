"""An accountant for Opacus: the shape that its engine and optimizers call, and safe answers."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any

from tightrope import plan
from tightrope._errors import InvalidArgument
from tightrope.adapters.foreign import dp_sgd_step
from tightrope.adapters.opacus import from_opacus
from tightrope.events import Event


class OpacusAccountant:
    """Counts steps as the accountants of Opacus do, and answers with proved bounds.

    Set it as ``privacy_engine.accountant`` before ``make_private``. Batches must be Poisson
    samples; the answers are about adding or removing one unit.

    Attributes:
        history: what was run, as a list of (noise_multiplier, sample_rate, number of steps).

    Examples:
        >>> accountant = OpacusAccountant()
        >>> for _ in range(100):
        ...     accountant.step(noise_multiplier=1.0, sample_rate=0.01)
        >>> len(accountant), accountant.history
        (100, [(1.0, 0.01, 100)])
        >>> accountant.get_epsilon(delta=1e-5) < 2
        True
    """

    def __init__(self) -> None:
        self.history: list[tuple[float, float, int]] = []

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """Count one step.

        Raises:
            InvalidArgument: the noise is not above 0, or the rate not in [0, 1].
        """
        dp_sgd_step("step", noise_multiplier, sample_rate)
        if self.history and self.history[-1][:2] == (noise_multiplier, sample_rate):
            self.history[-1] = (noise_multiplier, sample_rate, self.history[-1][2] + 1)
        else:
            self.history.append((noise_multiplier, sample_rate, 1))

    @property
    def event(self) -> Event:
        """What was run so far."""
        return from_opacus(self.history)

    def get_epsilon(self, delta: float) -> float:
        """An upper bound on the epsilon of all steps so far, at ``delta``."""
        return float(plan.epsilon(self.event, delta))

    def __len__(self) -> int:
        """The number of steps so far."""
        return sum(steps for _, _, steps in self.history)

    @classmethod
    def mechanism(cls) -> str:
        """The name under which states are saved."""
        return "tightrope"

    def get_optimizer_hook_fn(self, sample_rate: float) -> Callable[[Any], None]:
        """A function that counts a step of a ``DPOptimizer``, to be attached to it.

        Args:
            sample_rate: the rate of one Poisson sample; where an optimizer accumulates several
                before it steps, their sum is one sample.
        """

        def count(optimizer: Any) -> None:
            rate = sample_rate * optimizer.accumulated_iterations
            self.step(noise_multiplier=optimizer.noise_multiplier, sample_rate=rate)

        return count

    def state_dict(
        self, destination: MutableMapping[str, Any] | None = None
    ) -> MutableMapping[str, Any]:
        """The history and the mechanism's name, put into ``destination`` if one is given."""
        state: MutableMapping[str, Any] = {} if destination is None else destination
        state["history"] = list(self.history)
        state["mechanism"] = self.mechanism()
        return state

    def load_state_dict(self, state_dict: MutableMapping[str, Any]) -> None:
        """Go on from a saved state, of this accountant or of one of Opacus.

        Raises:
            InvalidArgument: the state has no history, or not one of DP-SGD.
        """
        if not state_dict:
            raise InvalidArgument("load_state_dict: state_dict must not be empty")
        from_opacus(state_dict)
        self.history = [(sigma, rate, steps) for sigma, rate, steps in state_dict["history"]]
