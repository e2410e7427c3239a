// SPDX-License-Identifier: MIT
//
// The one list of what the suite runs over: faces x transports. A new face or transport is one more line in
// variant.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/driver.h"

namespace opennd::conformance {

struct Variant {
    const char* face;       // as it appears in test names
    const char* transport;  // as opennd_transport_select takes it
    std::unique_ptr<Driver> (*open)();
    // Why the face does not run this test, by suite and name; null: it does.
    const char* (*left_out)(std::string_view suite, std::string_view test);
};

std::vector<Variant> every_variant();

// Those of one face only, for tests that reach its raw interfaces.
std::vector<Variant> variants_of(const char* face);

// Version 1 has none.
inline std::vector<Variant> variants_with_shared_receive_queues() { return variants_of("Nd2"); }

// "Nd2OnShm"
std::string name_of(const Variant& variant);

}  // namespace opennd::conformance
