// SPDX-License-Identifier: MIT
//
// The rules of the checking layer, as opennd_check_rules lists them. Read document.h first.
#include <opennd.h>

#include "document/document.h"

namespace nd {

void write_check_sections(std::ostream& out) {
    ULONG count = 0;
    const opennd_check_rule* const rules = opennd_check_rules(&count);
    for (ULONG i = 0; i < count; ++i) {
        const opennd_check_rule& rule = rules[i];
        out << (i == 0 ? "" : "\n") << "### " << rule.id << (rule.note ? " (a note)" : "") << "\n\n**" << rule.title
            << "** " << rule.meaning << "\n\n"
            << rule.remedy << '\n';
    }
}

}  // namespace nd
