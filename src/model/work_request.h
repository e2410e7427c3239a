// SPDX-License-Identifier: MIT
// A request to a queue pair, as every face words it and every transport understands it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "model/sge.h"
#include "model/token.h"

namespace opennd {

class TransportRequestSubject;

enum class Operation : std::uint8_t {
    receive,
    send,
    bind,
    invalidate,
    read,
    write,
    send_and_invalidate,  // a Send that also ends a window or a fast registration of the peer (ND1-EP-SINV-01)
    remote_invalidation,  // never posted: completes when the peer ended a window of this side (ND1-MW-05)
    fast_register,        // lets a fast region name memory (NDK-QP-FREG-01)
};

inline constexpr std::size_t kOperations = 9;

// "Send", as the methods are called.
constexpr std::string_view name(Operation operation) {
    constexpr std::array<std::string_view, kOperations> names{
        "Receive",     "Send", "Bind", "Invalidate", "Read", "Write", "SendAndInvalidate", "CreateMemoryWindow",
        "FastRegister"};
    return names[static_cast<std::size_t>(operation)];
}

enum class RequestFlags : std::uint8_t {
    none = 0,
    silent_success = 1,     // no completion unless it fails (ND2-QP-POST-13)
    read_fence = 2,         // starts after all earlier Reads have placed their data (ND2-QP-POST-12)
    solicit = 4,            // the peer's receive counts as solicited (ND2-QP-SEND-03)
    inline_data = 8,        // data are copied during the post, no token needed (ND2-QP-SEND-04)
    inline_entries = 16,    // the same for those entries that have no token (ND1-EP-INL-02)
    local_invalidate = 32,  // a Read that succeeds ends the fast registration of its first entry (NDK-QP-READ-04)
};

constexpr RequestFlags operator|(RequestFlags a, RequestFlags b) {
    return static_cast<RequestFlags>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr bool has(RequestFlags flags, RequestFlags wanted) {
    return (static_cast<std::uint8_t>(flags) & static_cast<std::uint8_t>(wanted)) != 0;
}

// Borrowed for the length of the post call: the poster keeps `sges`, the transport copies the parts that it needs
// later.
struct WorkRequest {
    Operation operation = Operation::send;
    RequestFlags flags = RequestFlags::none;
    void* context = nullptr;  // comes back in the completion
    std::span<const Sge> sges;
    std::uint64_t remote_address = 0;  // Read and Write: virtual address at the target (ND2-MR-TOK-02)
    Token remote_token = Token::none;  // Read and Write; SendAndInvalidate: the token to invalidate
    //   Bind         a TransportWindowBinding that comes into force; null: none can, and it completes with
    //                access_violation (ND1-EP-BIND-02)
    //   FastRegister the result of TransportFastRegion::prepare
    //   Invalidate   the TransportWindowBinding or TransportFastRegion that ends; null: a window that is not bound on
    //                this queue pair
    // The transport keeps a reference until the request completes.
    TransportRequestSubject* subject = nullptr;
};

}  // namespace opennd
