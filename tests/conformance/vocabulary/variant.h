// SPDX-License-Identifier: MIT
//
// The one list of the suite's variants: faces x transports. A new face or transport is one more line in variant.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conformance/vocabulary/driver.h"

namespace opennd::conformance {

// A test of the suite that a face has no part in. main.cpp takes it out.
struct LeftOut {
    const char* suite;
    const char* test;  // "*": every one of the suite
    const char* reason;
};

struct Face {
    const char* name;  // as it appears in test names
    std::unique_ptr<Driver> (*open)();
    std::span<const LeftOut> left_out;
};

std::span<const Face> faces();
std::unique_ptr<Driver> open_driver(const std::string& face);

struct Variant {
    const char* face;
    const char* transport;  // as opennd_transport_select takes it
    std::unique_ptr<Driver> (*open)();
};

std::vector<Variant> every_variant();

// Those of one face only, for tests that reach its raw interfaces.
std::vector<Variant> variants_of(const char* face);

// Version 1 has none.
std::vector<Variant> variants_with_shared_receive_queues();

// "Nd2OnShm"
std::string name_of(const Variant& variant);

}  // namespace opennd::conformance
