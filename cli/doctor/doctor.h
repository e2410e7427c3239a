// SPDX-License-Identifier: MIT
//
// `nd doctor`: the limits of this host, container and user, their consequences for OpenND, and remedies; with --rdma also an RDMA device,
// measured.
#pragma once

#include "usage/json_output.h"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace nd {

struct DoctorOptions : JsonOptions {
    std::string peer;
    std::optional<std::uint16_t> port;
    std::string rdma;  // an address of this host, or its interface; empty: no device is examined
    std::string transport;
};

void define_doctor_options(CLI::App& command, DoctorOptions& options);

// Exit code: 1 where something stands in the way.
int run_doctor(const DoctorOptions& options);

}  // namespace nd
