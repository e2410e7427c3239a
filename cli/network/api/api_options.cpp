// SPDX-License-Identifier: MIT
//
// Read api_options.h first.
#include "network/api/api_options.h"

#include "usage/one_of.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace nd {
namespace {

constexpr Api kApis[] = {Api::nd1, Api::nd2, Api::ndk};

}  // namespace

// Only names of it come here.
Api ApiOptions::api() const {
    return *std::find_if(std::begin(kApis), std::end(kApis), [this](Api each) { return own == name_of(each); });
}

void ApiOptions::check(bool server_started_here) const {
    if (!peer.empty() && !server_started_here)
        throw std::invalid_argument("--peer-api is for a server started here; a server elsewhere has its own --api");
}

void define_api_options(CLI::App& command, ApiOptions& options) {
    std::vector<std::string> all;
    for (Api each : kApis) all.emplace_back(name_of(each));
    const CLI::Validator names = one_of(all);
    command
        .add_option("--api", options.own,
                    "Interface of Network Direct to call: nd2 (version 2: IND2Adapter ...), nd1 (version 1: INDAdapter "
                    "...) or ndk (kernel code's: NDK_ADAPTER ...); the other side may call any")
        ->check(names)
        ->capture_default_str();
    command
        .add_option("--peer-api", options.peer, "The interface that a server started here calls (default: as --api)")
        ->check(names);
}

}  // namespace nd
