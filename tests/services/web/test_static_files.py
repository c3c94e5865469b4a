"""The files of the pages are a table, whose hash is in their addresses."""

from __future__ import annotations

import gzip
import json

from hypothesis import given
from hypothesis import strategies as st

from boardfw.services.web.static_files import StaticFiles, language_of

FILES = {
    "page.html": b'<html lang="en"><script src="/s/0/app.js"></script>' + b" " * 500,
    "app.js": b'const base = "/s/0/";',
    "look.css": b"a{background:url(/s/0/a.svg)}",
    "a.svg": b"<svg/>",
    ".hidden.js": b"secret",
    "notes.py": b"secret",
    "UP.js": b"secret",
}


def test_names_are_found_with_the_hash_of_today_only() -> None:
    files = StaticFiles(FILES)
    here = f"/s/{files.hash}/".encode()
    for name in ("page.html", "app.js", "look.css", "a.svg"):
        found = files.find(files.hash, name)
        assert found is not None
        assert files.find("0", name) is None
        if found.packed is not None:
            assert gzip.decompress(found.packed) == found.plain
            assert len(found.packed) < len(found.plain)
    for name in (".hidden.js", "notes.py", "UP.js", "", "..", "/etc/passwd"):
        assert files.find(files.hash, name) is None
    css, script = files.find(files.hash, "look.css"), files.find(files.hash, "app.js")
    assert css is not None and here in css.plain  # noqa: PT018
    assert script is not None and script.plain == FILES["app.js"]  # noqa: PT018
    page = files.page("de")
    assert page is not None and page.plain.startswith(b'<html lang="de">')  # noqa: PT018


def test_any_change_is_another_hash() -> None:
    hashes = {StaticFiles(FILES).hash}
    for name in ("page.html", "app.js", "look.css", "a.svg"):
        hashes.add(StaticFiles(FILES | {name: FILES[name] + b"\n"}).hash)
        hashes.add(StaticFiles({key: FILES[key] for key in FILES if key != name}).hash)
    assert len(hashes) == 9
    assert StaticFiles(FILES).hash == StaticFiles(dict(reversed(FILES.items()))).hash


def test_what_is_installed_holds_the_fold() -> None:
    files = StaticFiles.of_package()
    assert files.find(files.hash, "state.js") is not None


def test_a_browser_is_sent_the_words_of_its_language_alone() -> None:
    page = b'<html lang="en"><link href="/s/0/texts.en.json">'
    table = json.dumps({"and": [" and ", " und "], "off": ["Off.", "Aus."]}).encode()
    files = StaticFiles({"page.html": page, "texts.json": table})
    for language, words in (
        ("en", {"and": " and ", "off": "Off."}),
        ("de", {"and": " und ", "off": "Aus."}),
    ):
        found = files.find(files.hash, f"texts.{language}.json")
        told = files.page(language)
        assert found is not None
        assert json.loads(found.plain) == words
        assert told is not None
        assert told.plain.count(language.encode()) == 2
        assert f"/s/{files.hash}/texts.{language}.json".encode() in told.plain
    assert files.find(files.hash, "texts.json") is None


def test_the_language_is_what_the_browser_likes_better() -> None:
    for header, language in {
        "": "en",
        "de": "de",
        "de-AT,en;q=0.5": "de",
        "en-GB,de;q=0.9": "en",
        "fr,de;q=0.3,en;q=0.7": "en",
        "fr": "en",
        "de;q=nonsense,en": "en",
    }.items():
        assert language_of(header) == language


@given(st.text(max_size=60))
def test_any_header_has_a_language(header: str) -> None:
    assert language_of(header) in ("en", "de")


def test_a_script_goes_out_without_comments_and_its_lines_keep_their_numbers() -> None:
    script = b"""// What it is.
/**
 * @param {string} a
 */
export function f(a) {
  // Why.
  return `${a}//b` + /** @type {string} */ (a); // said beside it
}
"""
    files = StaticFiles({"f.js": script, "f.css": b"/** kept */"})
    sent = files.find(files.hash, "f.js")
    sheet = files.find(files.hash, "f.css")
    assert sent is not None
    assert sheet is not None
    lines = sent.plain.split(b"\n")
    assert len(lines) == len(script.split(b"\n"))
    assert lines[4:7] == [b"export function f(a) {", b"", lines[6]]
    assert lines[6].startswith(b"return `${a}//b` +  (a);")
    assert b"@param" not in sent.plain
    assert sheet.plain == b"/** kept */"
