// SPDX-License-Identifier: MIT
//
// Hello: how a connection request tells a server of this command what the connection is for.
#pragma once

#include <cstdint>

namespace nd {

enum class Purpose : std::uint16_t { ping = 1, perf_control = 2, perf_data = 3 };

struct Hello {
    static constexpr std::uint32_t kMagic = 0x4F4E4432;  // a peer of the other byte order reads something else
    static constexpr std::uint16_t kVersion = 6;         // of everything the two sides exchange

    std::uint32_t magic;
    std::uint16_t version;
    Purpose purpose;
    std::uint32_t session;  // chosen by the client; the connections of one run share it

    bool is_for(Purpose wanted) const { return magic == kMagic && version == kVersion && purpose == wanted; }
};

inline Hello make_hello(Purpose purpose, std::uint32_t session) {
    return {Hello::kMagic, Hello::kVersion, purpose, session};
}

}  // namespace nd
