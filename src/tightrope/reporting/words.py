"""The words of a report that stand on every page, whatever it is about and is printed as."""

TITLES = {
    "meaning": "In plain words",
    "who": "Who is protected",
    "ran": "What was run",
    "numbers": "The numbers",
    "groups": "Groups",
    "reported": "Beside what was reported",
    "pictures": "Pictures",
    "promised-not": "What is not promised",
    "assumed": "What is assumed",
    "proofs": "Where the numbers come from",
    "theorems": "Theorems and papers",
}
"""The sections in order, by their keys."""

AGREED = "They agree on what was published exactly, which is not protected:"
NOT_PROMISED = "The numbers do not promise:"
REPORTED = "Reported numbers, and what is proved here at the same delta"
STEPS = "Below each number stand the theorem that gives it, and what that rests on."
NO_GROUPS = "{part}: nothing is known about groups."
ON_GROUPS = (
    "The promise is about one unit. Where several change together, such as a family or all "
    "records of one person, it is weaker. Hits are told at 1 % and 0.1 % false alarms."
)
SUPPOSED = "The proofs suppose this, and cannot show it:"
INTERVAL = "proved to lie within"
CLAIMED = "claimed to lie within"
UNPROVED = "The file claims these numbers. None of them is known to be true."
NO_LOWER_END = "no lower end is known"

PRINTED = 3
"""Inputs of a step that paper has; a screen has more, and a certificate all of them."""

REST = "{count} more, in this report on a screen and in a certificate"
"""What paper says of the inputs that it leaves out."""

REST_OF_PAGE = "{count} more, in the page of this report and in a certificate"
"""What a document on paper says of them."""

SAME = "from the same inputs as under: {question}"

GRADES = (
    "Lossless: source and target say the same. Sharp: the best that holds for all that satisfy "
    "the source. Loose: valid, and known not to be the best possible."
)
SAFE = (
    "Each answer holds on its own, in its own notion of privacy; smaller is more private. Every "
    "number is proved, and rounded to the safe side; click it for its theorem and its paper. The "
    "lower ends are those of the distributions that bound what was run; where these only cover "
    "it, it may leak less."
)
