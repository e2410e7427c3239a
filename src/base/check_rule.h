// SPDX-License-Identifier: MIT
// The rules of the checking layer (OPENND_CHECK), in one table, from which diagnostics, `nd explain` and docs/checking.md take their texts.
#pragma once

#include <cstdint>
#include <span>

namespace opennd {

enum class CheckRule : std::uint8_t {
    none,
    startup,
    peer_address,
    second_request,
    private_data,
    limits_after_accept,
    after_reject,
    bind_early,
    read_limit,
    entry,
    buffer_in_use,
    buffer_changed,
    no_receive,
    receive_late,
    depth,
    memory_gone,
    overlapped_in_use,
    other_object,
    after_release,
    leak,
    buffer_shared,
    no_answer,
    first_error,
};

// A misuse is wrong in every program. A note tells of an event: it ends no program.
enum class CheckKind : std::uint8_t { misuse, note };

struct CheckRuleRow {
    CheckRule rule;
    CheckKind kind;
    const char* id;       // "CHECK-READ-LIMIT": stable
    const char* title;    // the fault in one line
    const char* meaning;  // why it is one, and where it shows without the checks
    const char* remedy;   // the change that the program should make
};

// All but none, in the order of the enumeration.
std::span<const CheckRuleRow> check_rules();
// Not of none.
const CheckRuleRow& row_of(CheckRule rule);

}  // namespace opennd
