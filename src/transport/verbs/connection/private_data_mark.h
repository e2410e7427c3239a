// SPDX-License-Identifier: MIT
// The length of private data over rdma_cm. Its messages on InfiniBand and RoCE have a fixed length, and the kernel fills them up with
// zeros. Between two OpenND ends the last octets of a message tell how many are the program's; other peers pass over them, as over
// the zeros (docs/wire_compatibility.md). Messages on iWARP have a length of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace opennd::verbs {

// The octets of private data that a message of rdma_cm has on InfiniBand and RoCE.
enum class CmMessage : std::uint8_t { request = 56, refusal = 148, reply = 196 };

// What an end tells beside the length.
struct PrivateDataMark {
    bool waits_for_receives = false;  // messages to this end may wait for a receive without limit (NDK-QP-SEND-04)
};

// Returns `data` with the mark at the end of the message; `data` alone where they leave no room for it.
std::vector<std::byte> with_mark(std::span<const std::byte> data, CmMessage message, const PrivateDataMark& mark);

// The private data of a message of the peer.
struct HeardPrivateData {
    std::span<const std::byte> data;  // the program's alone if `is_marked`, else all, with the zeros behind it
    bool is_marked = false;
    PrivateDataMark mark;
};

HeardPrivateData without_mark(std::span<const std::byte> message);

}  // namespace opennd::verbs
