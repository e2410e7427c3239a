// SPDX-License-Identifier: MIT
//
// Read transport_option.h first.
#include "network/transport_option.h"

#include "usage/one_of.h"

#include <CLI/CLI.hpp>

namespace nd {

void define_transport_option(CLI::App& command, std::string& transports) {
    command
        .add_option("--transport", transports,
                    "Transports to choose from, in order, as loopback,shm; or to leave out, as ^loopback")
        ->type_name("LIST")
        ->check(list_of({"loopback", "shm", "iwarp", "verbs"}));
}

}  // namespace nd
