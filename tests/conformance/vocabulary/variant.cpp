// SPDX-License-Identifier: MIT
//
// Faces times transports.
#include "conformance/vocabulary/variant.h"

#include <cctype>
#include <stdexcept>

#include "conformance/vocabulary/nd1/driver.h"
#include "conformance/vocabulary/nd1/left_out.h"
#include "conformance/vocabulary/nd2/driver.h"
#include "conformance/vocabulary/ndk/driver.h"
#include "conformance/vocabulary/ndk/left_out.h"
#include "support/transports.h"

namespace opennd::conformance {

std::span<const Face> faces() {
    static const Face all[] = {
        {"Nd1", nd1::open_driver, nd1::left_out()},
        {"Nd2", nd2::open_driver, {}},  // the vocabulary is version 2's, so that it can express all of it
        {"Ndk", ndk::open_driver, ndk::left_out()},
    };
    return all;
}

std::unique_ptr<Driver> open_driver(const std::string& face) {
    for (const Face& each : faces())
        if (face == each.name) return each.open();
    throw std::runtime_error("no face is called " + face);
}

std::vector<Variant> every_variant() {
    std::vector<Variant> variants;
    for (const Face& face : faces()) {
        for (const char* transport : support::tested_transports())
            variants.push_back({face.name, transport, face.open});
    }
    return variants;
}

std::vector<Variant> variants_of(const char* face) {
    std::vector<Variant> variants = every_variant();
    std::erase_if(variants, [&](const Variant& variant) { return std::string(variant.face) != face; });
    return variants;
}

std::vector<Variant> variants_with_shared_receive_queues() {
    std::vector<Variant> variants = every_variant();
    std::erase_if(variants, [](const Variant& variant) { return std::string(variant.face) == "Nd1"; });
    return variants;
}

std::string name_of(const Variant& variant) {
    std::string transport = variant.transport;
    transport[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(transport[0])));
    std::erase(transport, '+');
    return std::string(variant.face) + "On" + transport;
}

}  // namespace opennd::conformance
