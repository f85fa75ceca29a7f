"""What the tests of reports share: a page that is read, and a text that tries to break out."""

from __future__ import annotations

from html.parser import HTMLParser

from tightrope.reporting.markup import VOID

HOSTILE = "<script>alert('x')</script>\" onload=\"x & \\input{/etc/passwd} %_$^~#\x00\u202e"


class Page(HTMLParser):
    """What a page consists of; an element that is closed in the wrong place is a failure."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.texts, self.numbers = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.elements.append((tag, named))
        if tag == "data":
            links = [inside["href"] for name, inside in self.open if name == "a"]
            self.numbers.append((named["value"], links))
        if tag not in VOID:
            self.open.append((tag, named))

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        self.texts.append(data)

    def all(self, *names):
        return [attributes for tag, attributes in self.elements if tag in names]
