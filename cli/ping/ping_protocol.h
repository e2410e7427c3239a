// SPDX-License-Identifier: MIT
//
// What the two sides of `nd ping` send each other. Both sides have the same byte order (network/connection/hello.h).
#pragma once

#include "network/connection/hello.h"
#include "network/connection/message_channel.h"

#include <cstddef>
#include <cstdint>

namespace nd {

// Private data of the request. 56 bytes: every adapter carries as many (MaxCallerData).
struct PingRequest {
    Hello hello;
    std::uint32_t rounds;
    std::uint64_t size;
    std::uint64_t sequence;  // of the pattern
    std::byte pattern[24];
};
static_assert(sizeof(PingRequest) == 56);

// Private data of the answer: the next pattern.
struct PingAcceptance {
    Hello hello;
    std::byte pattern[100];
};

// Client to server: my buffer holds pattern number `round`, from 1; read it, then write it back inverted. Round 0: an interrupted
// client asks for no more, and takes no answer.
struct PingRound {
    std::uint64_t round;
    RemoteMemory buffer;
};

// Server to client, after the write.
struct PingAnswer {
    std::uint64_t round;
    std::uint32_t verified;
    char error[200];  // if not verified
};

}  // namespace nd
