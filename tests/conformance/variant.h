// SPDX-License-Identifier: MIT
//
// The one list of what the suite runs over: faces x transports. A new face or transport is one more line in
// variant.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "conformance/driver.h"

namespace opennd::conformance {

struct Variant {
    const char* face;       // as it appears in test names
    const char* transport;  // as opennd_transport_select takes it
    std::unique_ptr<Driver> (*open)();
};

std::vector<Variant> every_variant();

// Those of one face only, for tests that reach its raw interfaces.
std::vector<Variant> variants_of(const char* face);

// "Nd2OnShm"
std::string name_of(const Variant& variant);

}  // namespace opennd::conformance
