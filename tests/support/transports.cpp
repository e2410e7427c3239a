// SPDX-License-Identifier: MIT
//
// See transports.h.
#include "support/transports.h"

#include <cstdlib>
#include <cstring>
#include <string>

namespace opennd::support {
namespace {

// Zeros take the places of the commas, so that each name ends.
std::vector<const char*> names_in(std::string& list) {
    std::vector<const char*> names;
    const char* begin = list.c_str();
    for (char& character : list) {
        if (character != ',') continue;
        character = '\0';
        names.push_back(begin);
        begin = &character + 1;
    }
    names.push_back(begin);
    return names;
}

}  // namespace

const std::vector<const char*>& tested_transports() {
    static std::string list = [] {
        const char* const chosen = std::getenv("OPENND_TEST_TRANSPORTS");
        return std::string(chosen ? chosen : "loopback,shm,iwarp");
    }();
    static const std::vector<const char*> names = names_in(list);
    return names;
}

bool is_joint(const char* transport) { return std::strchr(transport, '+') != nullptr; }

const char* wire_within_a_process(const char* transport) {
    return is_joint(transport) ? std::strchr(transport, '+') + 1 : transport;
}

}  // namespace opennd::support
