"""An entry for the public registry of deployments of differential privacy, kept by OpenDP.

Its layout is that of github.com/opendp/deployments-registry-data. What an account does not know is
left empty, for a person to fill in; of one entry the registry wants one set of parameters, which is
that of the whole.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

VARIANTS = {
    "PureDP": "Pure DP",
    "ApproxDP": "Approximate DP",
    "ZCDP": "Zero-concentrated DP",
    "GDP": "Gaussian DP",
}
"""The registry's names of variants."""

PREFERRED = ("PureDP", "ZCDP", "ApproxDP", "GDP")
"""The variant that an entry is about: the first of these that is claimed of the whole."""

MODELS = {
    "central": "Central",
    "local": "Local",
    "shuffle": "Shuffle",
    "central and local": "Central",
}


def registry_entry(content: dict[str, Any]) -> dict[str, Any]:
    """The entry of a certificate's content."""
    told = content["statement"]
    claims = [claim for claim in content["claims"] if claim["about"] == content["event"]]
    notions = {claim["notion"] for claim in claims}
    variant = next((name for name in PREFERRED if name in notions), "")
    return {
        "url_slug": "",
        "deployment": {
            "basic": _basic(content),
            "dp_variant": {
                "variant_name": VARIANTS.get(variant, ""),
                "data_domain": "",
                "unprotected_quantities": "; ".join(told["not_protected"]),
            },
            "privacy_loss": {
                "privacy_unit": " and ".join(told["units_of_privacy"]),
                "privacy_unit_details": claims[0]["neighbors"] if claims else "",
                "number_of_privacy_units": 1,
                "privacy_parameters": _parameters(claims, variant),
                "privacy_parameters_details": _details(claims),
            },
            "deployment_model": _model(told["trust_model"]),
            "implementation": _implementation(content),
            "administrative": {"evidence_sources": {}, "status": "Draft", "registry_authors": []},
        },
    }


def _basic(content: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": content["title"],
        "data_curators": [],
        "description": content["about"],
        "intended_use": "",
        "data_product_type": "",
        "data_product_region": "",
        "data_product_sector": "",
        "publication_date": "",
    }


def _parameters(claims: list[dict[str, Any]], variant: str) -> dict[str, float]:
    """The numbers of the entry's variant, rounded to the side of the weaker claim."""
    for claim in claims:
        if claim["notion"] == variant and not claim["question"].startswith("advantage"):
            return {
                name: float(Fraction(text))
                for name, text in claim["shown"].items()
                if name in ("epsilon", "delta", "rho", "mu")
            }
    return {}


def _details(claims: list[dict[str, Any]]) -> str:
    told = []
    for claim in claims:
        values = ", ".join(f"{name} = {text}" for name, text in claim["shown"].items())
        told.append(f"{claim['notion']}: {values}")
    return "; ".join(told)


def _model(trust: str) -> dict[str, str]:
    return {
        "model_name": MODELS[trust],
        "model_name_details": "",
        "trust_assumptions": "",
        "actors": "",
        "release_type": "",
        "data_source_type": "",
        "access_type": "",
    }


def _implementation(content: dict[str, Any]) -> dict[str, str]:
    cited = dict.fromkeys(step["citation"] for step in content["steps"] if step["citation"])
    return {
        "preprocessing_and_hyperparameter_tuning": "",
        "mechanisms": ", ".join(content["statement"]["mechanisms"]),
        "composition": "; ".join(cited),
        "post_processing": "",
        "justification": "; ".join(given["text"] for given in content["assumptions"]),
        "utility": "",
        "additional_information": f"tightrope {content['tightrope']}, {content['digest']}",
    }
