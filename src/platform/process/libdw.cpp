// SPDX-License-Identifier: MIT
// See libdw.h.
#include "platform/process/libdw.h"

#include "platform/process/optional_library.h"

namespace opennd {

std::optional<Libdw> load_libdw(std::string& reason) {
    OptionalLibrary library("libdw.so.1", "install libdw1 (elfutils)", "update elfutils");
    Libdw dw{};
    library.find(dw.begin, "dwfl_begin");
    library.find(dw.end, "dwfl_end");
    library.find(dw.report_elf, "dwfl_report_elf");
    library.find(dw.report_end, "dwfl_report_end");
    library.find(dw.build_id_find_debuginfo, "dwfl_build_id_find_debuginfo");
    library.find(dw.module_addrdie, "dwfl_module_addrdie");
    library.find(dw.module_addrname, "dwfl_module_addrname");
    library.find(dw.module_nextcu, "dwfl_module_nextcu");
    library.find(dw.attr, "dwarf_attr");
    library.find(dw.attr_integrate, "dwarf_attr_integrate");
    library.find(dw.child, "dwarf_child");
    library.find(dw.diename, "dwarf_diename");
    library.find(dw.filesrc, "dwarf_filesrc");
    library.find(dw.formstring, "dwarf_formstring");
    library.find(dw.formudata, "dwarf_formudata");
    library.find(dw.getsrc_die, "dwarf_getsrc_die");
    library.find(dw.getsrcfiles, "dwarf_getsrcfiles");
    library.find(dw.haspc, "dwarf_haspc");
    library.find(dw.lineno, "dwarf_lineno");
    library.find(dw.linesrc, "dwarf_linesrc");
    library.find(dw.siblingof, "dwarf_siblingof");
    library.find(dw.tag, "dwarf_tag");
    if (library.keep()) return dw;
    reason = library.failure();
    return std::nullopt;
}

}  // namespace opennd
