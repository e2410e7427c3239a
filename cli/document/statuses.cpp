// SPDX-License-Identifier: MIT
//
// The statuses, as `nd explain` has them. Read document.h first.
#include "document/document.h"
#include "explain/status_table.h"

#include <cstdint>
#include <cstdio>
#include <string_view>

namespace nd {
namespace {

std::string interfaces_of(unsigned faces) {
    std::string text;
    const auto add = [&](Face face, const char* name) {
        if ((faces & face) != 0) text += (text.empty() ? "" : ", ") + std::string(name);
    };
    add(nd2, "version 2");
    add(nd1, "version 1");
    add(ndk, "NDKPI");
    return text;
}

// "ND_PENDING STATUS_PENDING" as "`ND_PENDING`, `STATUS_PENDING`".
std::string names_in_code(std::string_view names) {
    std::string text = "`";
    for (const char c : names) text += c == ' ' ? "`, `" : std::string(1, c);
    return text + "`";
}

void write_status(std::ostream& out, const StatusRow& row) {
    const std::string_view names = row.names, own = names.substr(0, names.find(' '));
    char number[16] = "";
    std::snprintf(number, sizeof number, "0x%08X", static_cast<std::uint32_t>(row.value));
    out << "### " << own << "\n\n`" << number << "`, " << row.value << (SUCCEEDED(row.value) ? "; succeeds" : "");
    if (own.size() != names.size()) out << "; also " << names_in_code(names.substr(own.size() + 1));
    out << "\n\n" << row.meaning << "\n\n| Interface | Call or request | Cause |\n|---|---|---|\n";
    for (const StatusUse& use : row.uses)
        out << "| " << interfaces_of(use.faces) << " | " << use.operation << " | " << use.why << " |\n";
    out << "\n**Remedy:** " << row.remedy << '\n';
}

}  // namespace

void write_status_sections(std::ostream& out) {
    const char* between = "";
    for (const StatusRow& row : status_table()) {
        out << between;
        write_status(out, row);
        between = "\n";
    }
}

}  // namespace nd
