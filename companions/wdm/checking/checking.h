// SPDX-License-Identifier: MIT
// Reports of broken rules. Each function of this library finds out for itself; this says it once, and aborts where the
// program chose so.
#pragma once

#include <string>

#include "kernel/checking.h"
#include "kernel/irql.h"

namespace opennd::wdm {

// Whether misuse is told; false: the program has turned reports off.
bool is_checking();

// The object that a rule was broken on.
struct Subject {
    const char* kind;  // "spin lock"; static
    const void* address;
};

// `what`: the forbidden act, and its place.
void report(opennd_wdm_rule rule, Subject subject, const std::string& what);

// Whether the calling thread is at `highest` or below; if not, that is reported, `call` being the function that needs it.
bool expect_irql_at_most(KIRQL highest, const char* call, Subject subject);

// "PASSIVE_LEVEL".
const char* name_of(KIRQL irql);

}  // namespace opennd::wdm
