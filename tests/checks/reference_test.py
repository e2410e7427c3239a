#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the scripts of docs/reference (the first argument): comments of headers and documents on their way to doxygen, and manual pages."""
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

HEAD = "/* SPDX-License-Identifier: MIT\n *\n * x.h: an example. Read y.h next.\n *\n * More of it.\n */\n"


def convert(body):
    return comments.Header(HEAD + body).convert()


class CommentsTest(unittest.TestCase):
    def test_the_first_comment_is_about_the_file(self):
        self.assertTrue(convert("").startswith("/** @file x.h\n@brief An example. Read y.h next.\n\nMore of it.\n*/"))

    def test_a_comment_in_front_of_a_declaration(self):
        self.assertIn("/** Does it,\nand well.\n*/\nint f(void);".replace(",\n", ", "), convert("/* Does it,\n * and well. */\nint f(void);\n"))

    def test_a_comment_that_stands_for_itself_is_left_out(self):
        self.assertNotIn("alone", convert("/* It stands alone. */\n\nint f(void);\n"))

    def test_a_comment_behind_a_member(self):
        self.assertIn("int a; /**< in bytes */", convert("struct s {\n    int a; /* in bytes */\n};\n"))

    def test_statuses_are_a_list(self):
        text = convert("/* Opens it. ND_SUCCESS; ND_NO_MEMORY; E_POINTER: p is NULL; or so. Then it is open. */\nint f(void);\n")
        self.assertIn("Opens it. Then it is open.\n\n@par Returns\n- #ND_SUCCESS\n- #ND_NO_MEMORY\n- #E_POINTER: p is NULL; or so\n", text)

    def test_later_statuses_have_their_own_list(self):
        text = convert("/* Waits.\n * ND_PENDING; memory. Overlapped: ND_SUCCESS; ND_CANCELED: flushed. */\nint f(void);\n")
        self.assertIn("@par Returns\n- #ND_PENDING\n- #ND_NO_MEMORY, #ND_INSUFFICIENT_RESOURCES: ", text)
        self.assertIn("@par Overlapped\n- #ND_SUCCESS\n- #ND_CANCELED: flushed\n", text)

    def test_a_sentence_about_a_status_is_none(self):
        self.assertIn("Test with FAILED: ND_PENDING succeeds.", convert("/* Test with FAILED: ND_PENDING succeeds. */\nint f(void);\n"))

    def test_the_name_of_a_family_is_no_status(self):
        self.assertIn("int f; /**< ND_ADAPTER_FLAG_... */", convert("int f; /* ND_ADAPTER_FLAG_... */\n"))

    def test_requirements_are_links(self):
        self.assertIn('(@ref ND2-QP-POST-04 "ND2-QP-POST-04" to -07)', convert("/* So it is. (ND2-QP-POST-04 to -07) */\nint f(void);\n"))

    def test_markup_of_doxygen_is_text(self):
        self.assertIn("&lowast;p is 5\\% of &lt;x&gt; \\#1 \\@ \\\\n", convert("/* *p is 5% of <x> #1 @ \\n */\nint f(void);\n"))

    def test_a_heading_begins_a_group(self):
        text = convert("/* ---- events ------- */\n\n/* Sets it. */\nint f(void);\n/* ---- ports ------- */\nint g(void);\n")
        self.assertIn("/** @name Events\n@{ */", text)
        self.assertEqual(text.count("@{"), text.count("@}"))

    def test_the_heading_of_an_interface_is_its_first_sentence(self):
        text = convert("/* ---- IExample: one of many ------- */\n\n/* It ends. */\n#undef INTERFACE\n#define INTERFACE IExample\n"
                       "DECLARE_INTERFACE_(IExample, IUnknown) {\n};\n")
        self.assertIn("/** One of many.\n\nIt ends.\n*/", text)
        self.assertNotIn("#define INTERFACE", text)

    def test_an_interface_without_a_comment(self):
        text = convert("/* ---- IExample: one of many ------- */\n\n#undef INTERFACE\n#define INTERFACE IExample\nDECLARE_INTERFACE(IExample) {\n};\n")
        self.assertIn("/** One of many. */\n", text)

    def test_checks_of_layouts_are_left_out(self):
        self.assertNotIn("ASSERT", convert("/* ---- layout ------- */\n\nOPENND_ASSERT_SIZE(X, 1, 1);\n"))

    def test_a_handle_between_a_function_and_its_comment(self):
        self.assertIn("typedef struct T T;\n/** Makes one.\n*/\nint f(T** t);", convert("/* Makes one. */\ntypedef struct T T;\nint f(T** t);\n"))


class PagesTest(unittest.TestCase):
    def setUp(self):
        self.page = pages.Page(pages.ROOT / "docs/iwarp.md")

    def test_a_link_to_a_page(self):
        self.assertEqual(self.page.prose("see [the wire](captures.md)"), 'see @ref page_captures "the wire"')

    def test_a_link_to_a_file(self):
        self.assertEqual(self.page.prose("[README.md](../README.md) and [a table](../src/README.md)"), "`README.md` and a table (`src/README.md`)")

    def test_a_link_elsewhere(self):
        self.assertEqual(self.page.prose("[x](https://example.org/a)"), "[x](https://example.org/a)")

    def test_code_is_left_alone(self):
        self.assertEqual(self.page.prose("`a<b> @c` but <b> @c"), "`a<b> @c` but &lt;b> \\@c")
        self.assertEqual(self.page.prose("`in' = 1`"), "``in' = 1``")

    def test_blocks_are_left_alone(self):
        text = "# T\n\n```sh\na <b> [x](y)\n```\n\n    c <d>\n- e\n    <f>"
        self.assertIn("a <b> [x](y)", self.page.convert(text))
        self.assertIn("    c <d>", self.page.convert(text))
        self.assertIn("    &lt;f>", self.page.convert(text))

    def test_the_title_has_a_label(self):
        self.assertTrue(self.page.convert("# Between hosts\n").startswith("# Between hosts {#page_iwarp}"))

    def test_requirements(self):
        self.assertEqual(self.page.prose("so ND2-GEN-01 says, not ND2-GEN-99"), 'so @ref ND2-GEN-01 "ND2-GEN-01" says, not ND2-GEN-99')
        defining = pages.Page(pages.ROOT / "docs/requirements/nd2.md")
        self.assertEqual(defining.prose("- ND2-GEN-01: Order"), "- @anchor ND2-GEN-01 **ND2-GEN-01**: Order")


FUNCTION = """<doxygen><compounddef kind="file"><compoundname>x.h</compoundname><sectiondef><memberdef kind="function">
<type>HRESULT</type><name>opennd_x_open</name><param><type>HANDLE *</type><declname>x</declname></param>
<param><type>const char</type><declname>name</declname><array>[]</array></param>
<briefdescription><para>Opens one.</para></briefdescription>
<detaileddescription><para><lowast/>x is the caller's.</para>
<para><simplesect kind="par"><title>Returns</title><para><itemizedlist><listitem><para><ref>ND_SUCCESS</ref></para></listitem>
<listitem><para><ref>ND_NO_MEMORY</ref>: none left</para></listitem></itemizedlist></para></simplesect></para></detaileddescription>
</memberdef></sectiondef></compounddef></doxygen>"""


class ManTest(unittest.TestCase):
    def written(self, text):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "x_8h.xml").write_text(text)
            reference, writer = man.Reference(folder), man.Writer(folder, "1.2.3")
            for header, member in reference.functions():
                writer.function(header, member, {"opennd_x_open"})
            return (folder / "opennd_x_open.3").read_text(), writer.missing

    def test_a_function(self):
        page, missing = self.written(FUNCTION)
        self.assertEqual(missing, [])
        self.assertIn('.TH opennd_x_open 3 "" "OpenND 1.2.3"', page)
        self.assertIn(".SH NAME\nopennd_x_open \\- Opens one\n", page)
        self.assertIn("#include <x.h>\n\nHRESULT opennd_x_open(HANDLE* x, const char name[]);\n", page)
        self.assertIn(".SH DESCRIPTION\nOpens one. *x is the caller's.\n", page)
        self.assertIn(".SH RETURN VALUE\n.TP\n\\fBND_SUCCESS\\fR\n.TP\n\\fBND_NO_MEMORY\\fR\nnone left\n", page)

    def test_a_function_without_a_description(self):
        begin, end = FUNCTION.index("<briefdescription>"), FUNCTION.index("</memberdef>")
        bare = FUNCTION[:begin] + "<briefdescription/><detaileddescription/>" + FUNCTION[end:]
        self.assertEqual(self.written(bare)[1], ["opennd_x_open"])

    def test_a_description_may_be_read_twice(self):
        member = ElementTree.fromstring(FUNCTION).find(".//memberdef")
        self.assertEqual([man.Description(member).lists for _ in range(2)], [{"Returns": ["ND_SUCCESS", "ND_NO_MEMORY: none left"]}] * 2)

    def summary(self, sentence):
        member = ElementTree.fromstring(FUNCTION.replace("Opens one.", sentence)).find(".//memberdef")
        return man.Description(member).summary()

    def test_a_name_has_the_first_sentence_without_requirements(self):
        self.assertEqual(self.summary("Opens it (ND2-OVL-05, -08), up to LIMIT_1. NULL does nothing."), "Opens it, up to LIMIT_1")

    def test_a_name_has_as_much_as_a_line_has_room_for(self):
        many = ", ".join(["a word"] * 20)
        self.assertEqual(self.summary(f"Opens one of many: {many}."), "Opens one of many")
        self.assertEqual(self.summary(f"Opens one, or {many}."), "Opens one")

    def test_lines_that_roff_would_take_for_its_own(self):
        self.assertEqual(man.roff(".x \\n"), "\\&.x \\en")


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path.insert(0, sys.argv.pop(1))
    import comments
    import man
    import pages

    unittest.main()
