"""Where each complaint about noise and selection in another library is answered.

Of some, a part does not concern a mechanism, and has no test of its own: of IBM 104 the machine
learning models, of IBM 95 what else breaks with scikit-learn, of smartnoise-sdk 621 the
odometer as a program, of pure-LDP 11 encodings that are not offered. Of opendp 683, opacus 538 and
rappor 2, which ask for something, the tests show that it is there.
"""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
COMPLAINTS = "test_release_complaints.py"
RANDOMNESS = "test_release_complaints_randomness.py"
BOUNDS = "test_release_complaints_bounds.py"
SELECTION = "test_release_selection.py"

ANSWERED = {
    "opendp 2911": SELECTION,
    "opendp 2935": COMPLAINTS,
    "opendp 2922": "test_release_stable_histogram.py",
    "opendp 2941": COMPLAINTS,
    "opendp 414": COMPLAINTS,
    "opendp 480": "test_release_responses.py",
    "opendp 377": RANDOMNESS,
    "opendp 683": BOUNDS,
    "smartnoise-core 242": COMPLAINTS,
    "smartnoise-core 316": COMPLAINTS,
    "smartnoise-core 319": BOUNDS,
    "smartnoise-sdk 461": RANDOMNESS,
    "smartnoise-sdk 621": BOUNDS,
    "smartnoise-sdk 622": BOUNDS,
    "IBM 19": COMPLAINTS,
    "IBM 94": COMPLAINTS,
    "IBM 107": SELECTION,
    "IBM 87": BOUNDS,
    "IBM 104": BOUNDS,
    "IBM 76": BOUNDS,
    "IBM 95": RANDOMNESS,
    "google 40": COMPLAINTS,
    "google 101": COMPLAINTS,
    "google 84": BOUNDS,
    "google 126 and 127": COMPLAINTS,
    "pure-LDP 11": BOUNDS,
    "NVFlare 343": BOUNDS,
    "opacus 538": RANDOMNESS,
    "libprio-rs 645": RANDOMNESS,
    "cross-media-measurement 1357": RANDOMNESS,
    "cardinality_estimation PR 97": COMPLAINTS,
    "rappor 2": RANDOMNESS,
    "privcount 65": RANDOMNESS,
    "tumult 120": BOUNDS,
    "dashu 57": RANDOMNESS,
    "attribution-reporting-api 1329": RANDOMNESS,
}


@pytest.mark.parametrize(("complaint", "file"), ANSWERED.items())
def test_every_complaint_has_a_test(complaint, file):
    text = (HERE / file).read_text()
    assert complaint in text
