"""Objects that look like those of other libraries: same class names, same attributes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


def fake(name: str, /, **attributes: Any) -> Any:
    """An instance of a new class of that name."""
    return type(name, (SimpleNamespace,), {})(**attributes)


def gaussian(noise_multiplier: float) -> Any:
    return fake("GaussianDpEvent", noise_multiplier=noise_multiplier)


def repeated(event: Any, count: int) -> Any:
    return fake("SelfComposedDpEvent", event=event, count=count)


def composed(*events: Any) -> Any:
    return fake("ComposedDpEvent", events=list(events))


def poisson(rate: float, event: Any) -> Any:
    return fake("PoissonSampledDpEvent", sampling_probability=rate, event=event)


class Recorder:
    """Stands for samplers: records how they are called."""

    def __init__(self, monkeypatch: Any, *methods: str):
        from tightrope.events import Event

        self.calls: list[tuple[str, Any, tuple[Any, ...], dict[str, Any]]] = []
        for method in methods:
            monkeypatch.setattr(Event, method, self._recording(method), raising=False)

    def _recording(self, method: str) -> Any:
        def record(event: Any, *args: Any, **kwargs: Any) -> Any:
            self.calls.append((method, event, args, kwargs))
            return event

        return record
