"""Citations: results become numbered sources for a prompt, and an answer is checked against them."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from ._frame import frame_texts, new_marker

Finding = Literal["found", "elsewhere", "uncited", "missing"]


@runtime_checkable
class HasResults(Protocol):
    """An answer of `search` or `extract`."""

    @property
    def results(self) -> Sequence[Any]: ...


@dataclass
class Source:
    number: int
    """The number by which an answer cites it, starting at 1."""
    url: str
    title: str | None = None
    texts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Citation:
    text: str
    """The citation as written in the answer, such as `[1, 3]`."""
    at: int
    numbers: list[int]
    unknown: list[int]
    """The numbers that have no source."""


@dataclass(frozen=True)
class Quote:
    text: str
    at: int
    cited: list[int]
    """The sources that the answer cites for the quote."""
    found_in: list[int]
    """The sources that contain the quote."""
    finding: Finding
    """`found`: in a cited source. `elsewhere`: only in a source that is not cited. `uncited`: the
    answer cites no source for it. `missing`: in no source."""


@dataclass(frozen=True)
class CitationCheck:
    ok: bool
    """True if every citation has a source, and every quote with a citation is in a cited source."""
    citations: list[Citation]
    quotes: list[Quote]
    unused: list[int]
    """The sources that the answer does not cite."""


def number_sources(*given: HasResults | Iterable[Any]) -> list[Source]:
    """Numbers the results of answers, or results of your own with a url, a title and texts.

    Results with the same address are one source.
    """
    sources: dict[str, Source] = {}
    for one in given:
        for result in one.results if isinstance(one, HasResults) else one:
            url = str(_of(result, "url"))
            source = sources.setdefault(url, Source(len(sources) + 1, url))
            source.title = source.title if source.title is not None else _of(result, "title")
            lists = [*(_of(result, "snippets") or []), *(_of(result, "excerpts") or [])]
            for text in [*lists, *(_of(result, name) for name in ("summary", "full_text", "content"))]:
                if text and text not in source.texts:
                    source.texts.append(text)
    return list(sources.values())


def write_sources(sources: Sequence[Source], marker: str | None = None) -> str:
    """Writes the sources as text for a prompt, between marks that no page can guess."""
    texts = [
        "\n".join(
            [
                f"[{one.number}] {_SPACES.sub(' ', one.url if one.title is None else one.title)}",
                _SPACES.sub("", one.url),
                "",
                *one.texts,
            ]
        )
        for one in sources
    ]
    framed = frame_texts(texts, new_marker() if marker is None else marker)
    return f"Cite these sources by their numbers, such as [1].\n{framed}"


def check_citations(answer: str, sources: Sequence[Source]) -> CitationCheck:
    """Checks that the citations of an answer have sources, and that its quotes are in them."""
    known = list(dict.fromkeys(one.number for one in sources))
    citations = [
        Citation(text, at, numbers, [number for number in numbers if number not in known])
        for text, at, numbers in _citations_in(answer)
    ]
    normalized = [
        (one.number, [_normalize(text) for text in [one.title or "", *one.texts]]) for one in sources
    ]
    found = _quotes_in(answer)
    quotes = []
    for index, quote in enumerate(found):
        following = found[index + 1].at if index + 1 < len(found) else len(answer)
        before = found[index - 1].end if index > 0 else 0
        cited = _cited_for(answer, citations, quote, following, before)
        found_in = [
            number
            for number, texts in normalized
            if any(_has_in_order(text, quote.segments) for text in texts)
        ]
        quotes.append(Quote(quote.text, quote.at, cited, found_in, _finding(cited, found_in)))
    used = {number for one in citations for number in one.numbers}
    return CitationCheck(
        ok=not any(one.unknown for one in citations)
        and all(one.finding in ("found", "uncited") for one in quotes),
        citations=citations,
        quotes=quotes,
        unused=[number for number in known if number not in used],
    )


def _of(result: Any, name: str) -> Any:
    return result.get(name) if isinstance(result, dict) else getattr(result, name, None)


def _finding(cited: Sequence[int], found_in: Sequence[int]) -> Finding:
    if not found_in:
        return "missing"
    if not cited:
        return "uncited"
    return "found" if any(number in found_in for number in cited) else "elsewhere"


# `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, and `【1†source】` as some models write it.
_CITATION = re.compile(
    r"[\[【]\^?([0-9]{1,4}(?: ?[,;–-] ?[0-9]{1,4}){0,50})(?:†[^\]】\n]{0,200})?[\]】]"
)
# Only the ends of a longer range count.
_MOST_RANGE = 100


def _citations_in(answer: str) -> list[tuple[str, int, list[int]]]:
    return [
        (
            match[0],
            match.start(),
            list(dict.fromkeys(n for part in re.split("[,;]", match[1]) for n in _numbers_of(part))),
        )
        for match in _CITATION.finditer(answer)
    ]


def _numbers_of(part: str) -> list[int]:
    ends = [int(end) for end in re.split("[–-]", part)]
    first, last = ends[0], ends[-1]
    if last < first or last - first > _MOST_RANGE:
        return ends
    return list(range(first, last + 1))


@dataclass(frozen=True)
class _Found:
    text: str
    at: int
    end: int
    segments: list[str]


_QUOTED = re.compile(
    r'"([^"\n]{1,2000})"|“([^“”]{1,2000})”|„([^„“”]{1,2000})[“”]|«([^«»]{1,2000})»'
    r"|「([^「」]{1,2000})」|『([^『』]{1,2000})』"
    r"|(?:(?<=\n)|(?<![\s\S]))> ([^\n]{1,2000}(?:\n> ?[^\n]{1,2000}){0,50})"
)
_LEAST_WORDS = 4
_LEAST_UNSPACED = 8
_UNSPACED = re.compile("[\u3040-\u9fff]")
_ELLIPSIS = re.compile(r"\.{3,}|(?:\. ){2,}\.")


def _quotes_in(answer: str) -> list[_Found]:
    """Finds quoted sentences. A single quoted term does not count."""
    found = []
    for match in _QUOTED.finditer(answer):
        text = next(group for group in match.groups() if group is not None)
        words = _normalize(_CITATION.sub(" ", text))
        unspaced = _UNSPACED.search(words) is not None and len(words) >= _LEAST_UNSPACED
        if len(words.split(" ")) < _LEAST_WORDS and not unspaced:
            continue
        segments = [one.strip(" .,;:!?-") for one in _ELLIPSIS.split(words)]
        found.append(_Found(text, match.start(), match.end(), [one for one in segments if one]))
    return found


def _cited_for(
    answer: str, citations: Sequence[Citation], quote: _Found, following: int, before: int
) -> list[int]:
    """The citations that follow a quote in its paragraph, or else those before it."""
    paragraph = answer.find("\n\n", quote.end, following)
    until = following if paragraph < 0 else paragraph
    inside = _within(citations, quote.at, quote.end)
    after = _within(citations, quote.end, until)
    start = max(before, answer.rfind("\n\n", before, quote.at) + 1)
    earlier = _within(citations, start, quote.at)[-1:]
    group = inside or (_first_group(answer, after) if after else earlier)
    return list(dict.fromkeys(number for one in group for number in one.numbers))


def _within(citations: Sequence[Citation], start: int, until: int) -> Sequence[Citation]:
    """The citations that start within a part of the answer. They are sorted by position."""
    first = bisect_left(citations, start, key=lambda one: one.at)
    return citations[first : bisect_left(citations, until, lo=first, key=lambda one: one.at)]


def _first_group(answer: str, citations: Sequence[Citation]) -> list[Citation]:
    """Citations with nothing but spaces and commas between them."""
    group = [citations[0]]
    for one in citations[1:]:
        last = group[-1]
        if answer[last.at + len(last.text) : one.at].strip(" ,;"):
            break
        group.append(one)
    return group


_SPACES = re.compile("[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_LINK_TARGET = re.compile(r"\]\([^()\s]{0,2000}\)")
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_MARKS = re.compile(r"""["'“”„‟‘’‚‛«»‹›「」『』`´*_#~|<>\\\[\]]""")


def _normalize(text: str) -> str:
    """Removes differences in quotes, spaces, dashes and Unicode forms."""
    # NFKC would turn this character into a space.
    plain = unicodedata.normalize("NFKC", text.replace("´", "")).lower()
    plain = _LINK_TARGET.sub("]", _HIDDEN.sub("", plain))
    return _SPACES.sub(" ", _MARKS.sub("", _DASHES.sub("-", plain))).strip(" ")


def _has_in_order(text: str, segments: Sequence[str]) -> bool:
    start = 0
    for segment in segments:
        at = text.find(segment, start)
        if at < 0:
            return False
        start = at + len(segment)
    return len(segments) > 0


__all__ = [
    "Citation",
    "CitationCheck",
    "Quote",
    "Source",
    "check_citations",
    "number_sources",
    "write_sources",
]
