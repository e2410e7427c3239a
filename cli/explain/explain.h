// SPDX-License-Identifier: MIT
//
// `nd explain`: what a status means, by face and by operation. status_table.cpp has the texts.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace nd {

struct ExplainOptions {
    std::string status;
};

void define_explain_options(CLI::App& command, ExplainOptions& options);

// Exit code.
int run_explain(const ExplainOptions& options);

}  // namespace nd
