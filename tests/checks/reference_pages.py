#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The written reference is whole: reference_pages.py OUTPUT, the folder that scripts/docs wrote.

Each document has its page, each manual page and each document its entry in the search box, and each link within the pages leads somewhere. Exit status
77: scripts/docs wrote nothing, for doxygen is not installed."""
import html
import pathlib
import re
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r'<a\b[^>]*\bhref="([^"]+)"')
ANCHOR = re.compile(r'\b(?:id|name)="([^"]+)"')
FOUND = re.compile(r"\['\.\./([^'#]+)(?:#([^']+))?'")


def targets(folder):
    """The anchors of each page."""
    return {path.relative_to(folder).as_posix(): set(ANCHOR.findall(path.read_text())) for path in folder.rglob("*.html")}


def broken_links(folder, anchors):
    for name in sorted(anchors):
        path = folder / name
        for link in map(html.unescape, LINK.findall(path.read_text())):
            address = urllib.parse.urlsplit(link)
            if address.scheme:
                continue
            page = (path.parent / address.path).resolve() if address.path else path.resolve()
            known = anchors.get(page.relative_to(folder.resolve()).as_posix()) if page.is_relative_to(folder.resolve()) else None
            if known is None or (address.fragment and urllib.parse.unquote(address.fragment) not in known):
                yield f"{name}: the link {link} leads nowhere"


def search_entries(folder):
    """The names that the search box finds, and the pages that they lead to."""
    text = "".join(path.read_text() for path in sorted((folder / "search").glob("all_*.js")))
    names = {html.unescape(name.replace("\\'", "'")) for name in re.findall(r"\['[^']*',\['((?:[^'\\]|\\.)*)'", text)}
    return names, FOUND.findall(text)


def main(output):
    folder = output / "html"
    if not folder.is_dir():
        print("reference_pages: there are no pages; scripts/setup docs installs doxygen", file=sys.stderr)
        return 77
    anchors = targets(folder)
    wrong = list(broken_links(folder, anchors))
    names, found = search_entries(folder)
    for page, anchor in found:
        if page not in anchors or (anchor and anchor not in anchors[page]):
            wrong.append(f"the search box leads to {page}#{anchor}, which is nowhere")
    reached = {page for page, _ in found}
    for document in sorted(pages.pages()):
        page = f"{pages.label(document)}.html"
        if page not in anchors or page not in reached:
            wrong.append(f"{document.relative_to(ROOT)} has no page, or the search box does not find it")
    for manual in sorted((output / "man/man3").glob("*.3")):
        if manual.stem not in names:
            wrong.append(f"the search box does not find {manual.stem}")
    for index in ("index.html", "pages.html", "structIND2QueuePair.html"):
        if 'id="MSearchField"' not in (folder / index).read_text():
            wrong.append(f"{index} has no search box")
    for line in wrong[:20]:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(ROOT / "docs/reference"))
    import pages

    sys.exit(main(pathlib.Path(sys.argv[1])))
