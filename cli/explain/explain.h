// SPDX-License-Identifier: MIT
//
// `nd explain`: what a status means, by face and by operation, and the rules of the checking layer. status_table.cpp has the texts of statuses.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace nd {

struct ExplainOptions {
    std::string status;
    bool checks = false;
};

void define_explain_options(CLI::App& command, ExplainOptions& options);

// Exit code.
int run_explain(const ExplainOptions& options);

}  // namespace nd
