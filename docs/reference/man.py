#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the manual pages of section 3 out of Doxygen's XML: one for each C function, each interface, and each table of NDK
functions. A function, a method or an interface without a description is an error.

    man.py XML-FOLDER OUTPUT-FOLDER VERSION
"""
import copy
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

# The header that a program includes, for those that other headers include.
INCLUDED = {"ndspi_v1.h": "ndspi.h", "ndspi_v2.h": "ndspi.h", "ndcom.h": "ndspi.h", "ndkpi_dispatch.h": "ndkpi.h"}
CHARACTERS = {"lowast": "*"}
IDENTIFIERS = re.compile(r" \((?:ND1|ND2|NDS|NDK|IW)-[^)]*\)")
SUMMARY_MOST = 90
C_CALL = "A C program calls a method through the table, object->lpVtbl->Method(object, ...), or by the macros of ndspi_cobj.h."
PENDING = ("A create or request that returns STATUS_PENDING ends with its callback. ndkpi.h has the rules that all functions share; "
           "the functions are called through the table, object->Dispatch->Function(object, ...).")


def pieces(element):
    """The text of an element and of those inside it; a character that XML has as an element of its own, too."""
    yield CHARACTERS.get(element.tag, "")
    yield element.text or ""
    for child in element:
        yield from pieces(child)
        yield child.tail or ""


def flat(element):
    """The same with one blank for all white space."""
    return " ".join("".join(pieces(element)).split()) if element is not None else ""


def roff(text):
    text = text.replace("\\", "\\e")
    return "\\&" + text if text.startswith((".", "'")) else text


class Description:
    """The paragraphs of a description, and its lists of statuses by their labels."""

    def __init__(self, member):
        self.paragraphs, self.lists = [], {}
        for part in ("briefdescription", "detaileddescription"):
            for paragraph in member.find(part).findall("para"):
                self.take(copy.deepcopy(paragraph))
        self.paragraphs[:2] = [" ".join(self.paragraphs[:2])] if self.paragraphs else []  # the brief sentence begins the first

    def take(self, paragraph):
        for section in paragraph.findall("simplesect"):
            items = self.lists.setdefault(flat(section.find("title")), [])
            items += [flat(item) for item in section.iter("listitem")]
            paragraph.remove(section)
        # A list behind the title of a section stands beside that section.
        for entry in paragraph.findall("itemizedlist"):
            if self.lists:
                next(reversed(self.lists.values())).extend(flat(item) for item in entry.iter("listitem"))
                paragraph.remove(entry)
        if text := flat(paragraph):
            self.paragraphs.append(text)

    def __bool__(self):
        return bool(self.paragraphs or self.lists)

    def summary(self):
        """The first sentence, as much of it as a line of apropos has room for."""
        first = IDENTIFIERS.sub("", self.paragraphs[0]) if self.paragraphs else ""
        text = re.split(r"(?<=[\w)])[.;] ", first.rstrip(".") + ". ")[0]
        for mark in (": ", " (", ", "):
            if len(text) > SUMMARY_MOST:
                text = text.split(mark)[0]
        return text

    def write(self, section):
        lines = []
        for number, paragraph in enumerate(self.paragraphs):
            lines += ([".PP"] if number else []) + [roff(paragraph)]
        for label, items in self.lists.items():
            lines += [section(label)]
            for item in items:
                names, colon, cause = item.partition(": ")
                lines += [".TP", f"\\fB{names}\\fR", roff(cause)] if colon else [".TP", f"\\fB{names}\\fR"]
        return lines


def spaced(text):
    return re.sub(r"\s*([*&]+)\s*", r"\1 ", text).strip()


def prototype(returned, name, arguments):
    """In C, one argument a line where one line has no room."""
    whole = f"{returned} {name}({', '.join(arguments)});"
    if len(whole) <= 76:
        return [whole]
    return [f"{returned} {name}(", *(f"    {each}," for each in arguments[:-1]), f"    {arguments[-1]});"]


def arguments_of(member):
    for parameter in member.findall("param"):
        kind, name = spaced(flat(parameter.find("type"))), flat(parameter.find("declname"))
        yield f"{kind} {name}{flat(parameter.find('array'))}".strip()


def function_prototype(member):
    returned = spaced(flat(member.find("type")).removeprefix("virtual "))
    return prototype(returned, flat(member.find("name")), list(arguments_of(member)) or ["VOID"])


class Reference:
    def __init__(self, folder):
        compounds = [ElementTree.parse(path).getroot().find("compounddef") for path in sorted(folder.glob("*.xml"))
                     if path.name != "index.xml"]
        self.files = [each for each in compounds if each is not None and each.get("kind") == "file"]
        structs = [each for each in compounds if each is not None and each.get("kind") == "struct"]
        self.interfaces = [each for each in structs if each.find("sectiondef/memberdef[@virt='pure-virtual']") is not None]
        self.tables = [each for each in structs if flat(each.find("compoundname")).endswith("_DISPATCH")]
        self.types = {flat(member.find("name")): member for file in self.files for member in file.iter("memberdef")
                      if member.get("kind") == "typedef"}

    def functions(self):
        for file in self.files:
            for member in file.iter("memberdef"):
                if member.get("kind") == "function" and re.match(r"(opennd_|Nd[A-Z]|Dll)", flat(member.find("name"))):
                    yield flat(file.find("compoundname")), member


class Writer:
    def __init__(self, output, version):
        self.output, self.version = output, version
        self.missing, self.written = [], 0

    def page(self, name, summary, header, synopsis, body, see_also):
        header = INCLUDED.get(header, header)
        lines = [f'.TH {name} 3 "" "OpenND {self.version}" "OpenND Programmer\'s Manual"', ".SH NAME",
                 f"{name} \\- {roff(summary)}", ".SH SYNOPSIS", ".nf", f"#include <{header}>", "", *map(roff, synopsis), ".fi",
                 ".SH DESCRIPTION", *body, ".SH SEE ALSO", ", ".join(f"\\fB{each}\\fR(3)" for each in sorted(see_also))]
        lines[-1] += (", " if see_also else "") + "\\fBnd\\fR(1)"
        (self.output / f"{name}.3").write_text("\n".join(lines) + "\n")
        self.written += 1

    def require(self, name, description):
        if not description:
            self.missing.append(name)
        return description

    def function(self, header, member, others):
        name = flat(member.find("name"))
        description = self.require(name, Description(member))
        text = " ".join(description.paragraphs)
        self.page(name, description.summary(), header, function_prototype(member), description.write(self.section),
                  {other for other in others if other != name and re.search(rf"\b{other}\b", text)})

    @staticmethod
    def section(label):
        return ".SH RETURN VALUE" if label == "Returns" else f".SS {label}"

    @staticmethod
    def part(label):
        return f".PP\n\\fI{label}\\fR"

    def interface(self, compound):
        name = flat(compound.find("compoundname"))
        bases = [flat(base) for base in compound.findall("basecompoundref")]
        own = self.require(name, Description(compound))
        body = own.write(self.part) + [".PP", C_CALL, ".SH METHODS"]
        for method in compound.iter("memberdef"):
            title = flat(method.find("name"))
            body += [f".SS {title}", ".nf", *function_prototype(method), ".fi", ".PP"]
            body += self.require(f"{name}::{title}", Description(method)).write(self.part)
        header = pathlib.Path(compound.find("location").get("file")).name
        synopsis = [f"struct {name}" + "".join(f" : {base}" for base in bases)]
        self.page(name, own.summary(), header, synopsis, body, set(bases))

    def table(self, compound, types):
        name = flat(compound.find("compoundname"))
        subject = name.removesuffix("_DISPATCH")
        body = [PENDING, ".SH FUNCTIONS"]
        for slot in compound.iter("memberdef"):
            title, kind = flat(slot.find("name")), flat(slot.find("type"))
            declared = types[kind]
            arguments = flat(declared.find("argsstring")).removeprefix(")(").removesuffix(")").split(", ")
            returned = flat(declared.find("type")).removesuffix("(*").strip()
            body += [f".SS {title}", ".nf", *map(roff, prototype(returned, title, [spaced(each) for each in arguments])), ".fi", ".PP"]
            body += self.require(kind, Description(declared)).write(self.part)
        header = pathlib.Path(compound.find("location").get("file")).name
        self.page(name, f"the functions of {subject}", header, [f"const {name}* Dispatch; /* of {subject} */"], body, set())


def main():
    source, output, version = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    output.mkdir(parents=True, exist_ok=True)
    for old in output.glob("*.3"):
        old.unlink()
    reference, writer = Reference(source), Writer(output, version)
    functions = list(reference.functions())
    names = {flat(member.find("name")) for _, member in functions}
    for header, member in functions:
        writer.function(header, member, names)
    for compound in reference.interfaces:
        writer.interface(compound)
    for compound in reference.tables:
        writer.table(compound, reference.types)
    for name in writer.missing:
        print(f"man: {name} has no description", file=sys.stderr)
    print(f"man: {writer.written} pages of section 3")
    return 1 if writer.missing or not writer.written else 0


if __name__ == "__main__":
    sys.exit(main())
