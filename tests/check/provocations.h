// SPDX-License-Identifier: MIT
//
// One way to break each rule of the checking layer, through the test vocabulary where it has words for it.
#pragma once

#include <span>

#include "conformance/vocabulary/variant.h"
#include "support/diagnostics.h"

namespace opennd::conformance {

// The place of a provocation: a driver with its transport pinned.
struct Scene {
    Driver& driver;
    const support::Diagnostics& diagnostics;
    const Variant& variant;

    bool is_face(const char* face) const;
};

struct Provocation {
    const char* rule;
    void (*within)(const Scene& scene);       // null: only a process of its own can break the rule
    void (*at_exit)(const Variant& variant);  // does not return: it ends the process, with exit code 0
    std::size_t times;                        // that the rule is told; of at_exit at least once
    const char* companion;                    // a rule that the same program breaks, or null
};

// In any order.
std::span<const Provocation> provocations();

void read_without_a_limit(const Scene& scene);
void post_an_entry_behind_its_region(const Scene& scene);
void send_memory_that_a_read_fills(const Scene& scene);
void send_memory_that_a_receive_fills(const Scene& scene);
void change_memory_before_its_result(const Scene& scene);
void post_a_receive_too_late(const Scene& scene);
void post_more_than_there_is_room_for(const Scene& scene);
void unmap_registered_memory(const Scene& scene);
void write_with_a_dead_token(const Scene& scene);

}  // namespace opennd::conformance
