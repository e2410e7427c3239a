// SPDX-License-Identifier: MIT
//
// What each status means to a program: one row for each number, tested against ndstatus.h.
#pragma once

#include <opennd.h>

#include <span>
#include <vector>

namespace nd {

// Bits: a use may be the same in several.
enum Face : unsigned { nd2 = 1, nd1 = 2, ndk = 4 };

// Where a status comes from: a call that returns it, or a request that completes with it.
struct StatusUse {
    unsigned faces;
    const char* operation;
    const char* why;
};

struct StatusRow {
    HRESULT value;
    const char* names;  // separated by blanks; the first one is the number's own
    const char* meaning;
    std::vector<StatusUse> uses;
    const char* remedy;
};

// In the order of ndstatus.h, then the statuses of COM and of the kernel interface.
std::span<const StatusRow> status_table();

}  // namespace nd
