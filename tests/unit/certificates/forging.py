"""Certificates written by hand, as a forger would, with all that follows from what they claim."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tightrope.verify import verify
from tightrope.verify.assumptions import CONNECTORS, WORDS, needed
from tightrope.verify.citations import CITATIONS
from tightrope.verify.event import Events, Node, Relation
from tightrope.verify.statement import UNKNOWN, trust_model

from .mutations import sealed


@dataclass
class Forged:
    """Nodes, steps and claims about one relation."""

    change: str = "add_or_remove"
    unit: str = "unit"
    nodes: list[dict[str, Any]] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    claims: list[dict[str, Any]] = field(default_factory=list)
    made: dict[str, Node] = field(default_factory=dict)
    events: Events = field(default_factory=Events)

    @property
    def relation(self) -> Relation:
        return Relation(((self.change, self.unit),), ())

    def node(self, name: str, kind: str, parts: Sequence[Any] = (), **parameters: Any) -> Forged:
        told = {"id": name, "kind": kind, "parameters": parameters, "neighbors": "r"}
        self.nodes.append(told | ({"parts": [list(p) for p in parts]} if parts else {}))
        inside = tuple((self.made[part], count) for part, count in parts)
        self.made[name] = self.events.make(kind, parameters, inside, self.relation)
        return self

    def step(self, theorem: str, about: str, inputs: Sequence[int], notion: str, **values: str):
        self.steps.append(
            {
                "id": f"s{len(self.steps)}",
                "about": about,
                "theorem": theorem,
                "citation": CITATIONS[theorem],
                "inputs": [[f"s{n}", 1] for n in inputs],
                "notion": notion,
                "values": values,
            }
        )
        return self

    def claim(self, question: str, **shown: str) -> Forged:
        last = self.steps[-1]
        node = self.made[last["about"]]
        kept = {"about": last["about"], "notion": last["notion"], "values": last["values"]}
        told = {"fingerprint": node.fingerprint, "neighbors": str(node.relation)}
        asked = {"question": question, "shown": shown or last["values"], "step": last["id"]}
        self.claims.append(kept | told | asked)
        return self

    def report(self):
        return verify(self.text())

    def text(self) -> str:
        kinds = {node.kind for node in self.made.values()}
        mechanisms = sorted(kinds - set(CONNECTORS))
        changes = [{"kind": self.change, "unit": self.unit}]
        wanted = sorted(needed(self.made.values()))
        content = {
            "schema": "tightrope-certificate/1",
            "tightrope": "x",
            "title": "t",
            "about": "",
            "event": self.nodes[-1]["id"],
            "relations": [{"id": "r", "changes": changes, "invariants": []}],
            "nodes": self.nodes,
            "claims": self.claims,
            "steps": self.steps,
            "assumptions": [{"id": name, "text": WORDS[name]} for name in wanted],
            "statement": {
                "guideline": "NIST SP 800-226",
                "variants": sorted({claim["notion"] for claim in self.claims}),
                "units_of_privacy": [self.unit],
                "neighbors": [self.change],
                "not_protected": [],
                "trust_model": trust_model(kinds, mechanisms),
                "mechanisms": mechanisms,
                "not_stated": UNKNOWN,
            },
            "left_out": [],
        }
        return json.dumps(sealed(content))


def gaussian(**parameters: str) -> Forged:
    """A start with one Gaussian."""
    told = {"noise_scale": "1", "sensitivity": "1"} | parameters
    return Forged().node("a", "Gaussian", **told)
