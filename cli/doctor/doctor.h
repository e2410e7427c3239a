// SPDX-License-Identifier: MIT
//
// `nd doctor`: the limits of this host, container and user, their consequences for OpenND, and remedies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace nd {

struct DoctorOptions {
    std::string peer;
    std::optional<std::uint16_t> port;
    bool json = false;
};

void define_doctor_options(CLI::App& command, DoctorOptions& options);

// Exit code: 1 where something stands in the way.
int run_doctor(const DoctorOptions& options);

}  // namespace nd
