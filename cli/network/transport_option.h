// SPDX-License-Identifier: MIT
//
// The option --transport of the commands that connect.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace nd {

void define_transport_option(CLI::App& command, std::string& transports);

}  // namespace nd
