// SPDX-License-Identifier: MIT
// libdw of elfutils, the reader of debug information, as a table of functions. It is loaded at the first need
// (docs/decisions/0092).
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <optional>
#include <string>

namespace opennd {

// Each is the function of libdw with the prefix dwfl_ or dwarf_. None may be called by two threads at a time for the same Dwfl.
struct Libdw {
    decltype(&::dwfl_begin) begin;
    decltype(&::dwfl_end) end;
    decltype(&::dwfl_report_elf) report_elf;
    decltype(&::dwfl_report_end) report_end;
    decltype(&::dwfl_build_id_find_debuginfo) build_id_find_debuginfo;
    decltype(&::dwfl_module_addrdie) module_addrdie;
    decltype(&::dwfl_module_addrname) module_addrname;
    decltype(&::dwfl_module_nextcu) module_nextcu;

    decltype(&::dwarf_attr) attr;
    decltype(&::dwarf_attr_integrate) attr_integrate;
    decltype(&::dwarf_child) child;
    decltype(&::dwarf_diename) diename;
    decltype(&::dwarf_filesrc) filesrc;
    decltype(&::dwarf_formstring) formstring;
    decltype(&::dwarf_formudata) formudata;
    decltype(&::dwarf_getsrc_die) getsrc_die;
    decltype(&::dwarf_getsrcfiles) getsrcfiles;
    decltype(&::dwarf_haspc) haspc;
    decltype(&::dwarf_lineno) lineno;
    decltype(&::dwarf_linesrc) linesrc;
    decltype(&::dwarf_siblingof) siblingof;
    decltype(&::dwarf_tag) tag;
};

// Loads the library, for good, and fills the table. Returns nothing if the library or a function is missing; `reason` says which.
std::optional<Libdw> load_libdw(std::string& reason);

}  // namespace opennd
