// SPDX-License-Identifier: MIT
//
// Faces times transports.
#include "conformance/variant.h"

#include <cctype>

#include "conformance/nd1/driver.h"
#include "conformance/nd1/left_out.h"
#include "conformance/nd2/driver.h"

namespace opennd::conformance {
namespace {

struct Face {
    const char* name;
    std::unique_ptr<Driver> (*open)();
    const char* (*left_out)(std::string_view suite, std::string_view test);
};

// The vocabulary is version 2's, so that it can express all of it.
const char* nothing_left_out(std::string_view, std::string_view) { return nullptr; }

constexpr Face kFaces[] = {
    {"Nd1", nd1::open_driver, nd1::left_out},
    {"Nd2", nd2::open_driver, nothing_left_out},
};

constexpr const char* kTransports[] = {
    "loopback",
    "shm",
    "iwarp",
};

}  // namespace

std::vector<Variant> every_variant() {
    std::vector<Variant> variants;
    for (const Face& face : kFaces) {
        for (const char* transport : kTransports) variants.push_back({face.name, transport, face.open, face.left_out});
    }
    return variants;
}

std::vector<Variant> variants_of(const char* face) {
    std::vector<Variant> variants = every_variant();
    std::erase_if(variants, [&](const Variant& variant) { return std::string(variant.face) != face; });
    return variants;
}

std::string name_of(const Variant& variant) {
    std::string transport = variant.transport;
    transport[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(transport[0])));
    return std::string(variant.face) + "On" + transport;
}

}  // namespace opennd::conformance
