// SPDX-License-Identifier: MIT
//
// Where the peer's memory is: RemoteMemory as it travels in messages, RemoteTarget as posts take it. All interfaces name the
// same: what version 1 calls base and token of a descriptor are version 2's address and token; NDK alone has tokens in host
// order (NDK-MR-TOK-02).
#pragma once

#include <opennd.h>

#include <cstdint>

namespace nd {

struct RemoteMemory {
    std::uint64_t address;
    std::uint64_t bytes;
    std::uint32_t token;
    std::uint32_t reserved;
};

// The memory of a window of version 1.
RemoteMemory remote_memory(const ND_MW_DESCRIPTOR& descriptor);

struct RemoteTarget {
    RemoteTarget() = default;
    explicit RemoteTarget(const RemoteMemory& memory);

    UINT64 address = 0;
    UINT32 token = 0, ndk_token = 0;
    ND_MW_DESCRIPTOR descriptor = {};
};

}  // namespace nd
