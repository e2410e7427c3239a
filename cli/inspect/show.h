// SPDX-License-Identifier: MIT
//
// `nd show`: the objects of running processes, a line each.
#pragma once

#include "usage/json_output.h"

#include <string>

namespace CLI {
class App;
}

namespace nd {

struct ShowOptions : JsonOptions {
    std::string objects;        // the word of an ObjectKind
    unsigned pid = 0;           // 0: all processes
    std::string peer;           // connections to it alone; empty: to all
    bool stuck = false;         // only connections that make no progress
    std::string sort;           // the word of a SortKey; empty: in the order of their making
    double over_seconds = 0.2;  // between two looks at queue pairs; 0: one look
};

void define_show_options(CLI::App& command, ShowOptions& options);

// Exit code: 1 where the process that was named does not answer.
int run_show(const ShowOptions& options);

}  // namespace nd
