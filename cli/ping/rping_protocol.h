// SPDX-License-Identifier: MIT
//
// What the two sides of rdma-core's rping send each other, so that it can be the other side of `nd ping --rping`.
//
//   client                          server
//   offer of its source       --->
//                             <---  RDMA Read of the source
//                             <---  a message as long as an offer: go ahead
//   offer of its sink         --->
//                             <---  RDMA Write of what was read into the sink
//                             <---  a message as long as an offer: done
//
// The client compares and begins again, or disconnects. Private data is empty.
#pragma once

#include "network/memory/remote_memory.h"

#include <endian.h>

#include <cstddef>
#include <cstdint>

namespace nd {

// Big-endian, as a token of Network Direct is anyway. From the server its content means nothing.
struct RpingOffer {
    std::uint64_t address;
    std::uint32_t token;
    std::uint32_t bytes;
};
static_assert(sizeof(RpingOffer) == 16);

inline RpingOffer make_offer(const RemoteMemory& memory) {
    return {htobe64(memory.address), memory.token, htobe32(static_cast<std::uint32_t>(memory.bytes))};
}

inline RemoteMemory memory_of(const RpingOffer& offer) {
    return {be64toh(offer.address), be32toh(offer.bytes), offer.token, 0};
}

// The text of rping's source in round number `round`, from 0: "rdma-ping-0: ABC...", ended by a zero.
void fill_rping_text(std::byte* buffer, std::size_t bytes, std::uint32_t round);

// Throws std::runtime_error that names `what`, the round and the first wrong byte.
void verify_rping_text(const std::byte* buffer, std::size_t bytes, std::uint32_t round, const char* what);

}  // namespace nd
