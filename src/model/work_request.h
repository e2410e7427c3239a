// SPDX-License-Identifier: MIT
// A request to a queue pair, as every face words it and every transport understands it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
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
    send_with_immediate,  // a Send that hands 32 bits to the result of the receive (ND2-IMM-SEND-01)
    // A Write that completes a receive of the peer's, once its octets are placed, and hands 32 bits to its result
    // (ND2-IMM-WRITE-01).
    write_with_immediate,
};

inline constexpr std::size_t kOperations = 11;

// "Send", as the methods are called.
constexpr std::string_view name(Operation operation) {
    constexpr std::string_view names[] = {"Receive",
                                          "Send",
                                          "Bind",
                                          "Invalidate",
                                          "Read",
                                          "Write",
                                          "SendAndInvalidate",
                                          "CreateMemoryWindow",
                                          "FastRegister",
                                          "SendWithImmediate",
                                          "WriteWithImmediate"};
    static_assert(std::size(names) == kOperations);
    return names[static_cast<std::size_t>(operation)];
}

constexpr bool has_immediate(Operation operation) { return operation >= Operation::send_with_immediate; }
// Returns true for a request that uses a receive of the peer's.
constexpr bool uses_receive(Operation operation) {
    return operation == Operation::send || operation == Operation::send_and_invalidate || has_immediate(operation);
}
constexpr bool is_write(Operation operation) {
    return operation == Operation::write || operation == Operation::write_with_immediate;
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

// The part of a request beside its data that only some operations have, in one word.
//   Bind               the subject is a TransportWindowBinding that comes into force; null: none can, and it completes with
//                      access_violation (ND1-EP-BIND-02)
//   FastRegister       the subject is the result of TransportFastRegion::prepare
//   Invalidate         the subject is the TransportWindowBinding or TransportFastRegion that ends; null: a window that is
//                      not bound on this queue pair
//   ...WithImmediate   the immediate data
// The transport keeps a reference to a subject until the request completes.
class RequestExtra {
public:
    constexpr RequestExtra() = default;
    RequestExtra(TransportRequestSubject* subject) : word_(reinterpret_cast<std::uintptr_t>(subject)) {}
    static constexpr RequestExtra immediate(std::uint32_t data) {
        RequestExtra extra;
        extra.word_ = data;
        return extra;
    }

    // Returns false for null, and for immediate data of 0.
    constexpr bool any() const { return word_ != 0; }
    // Returns the subject; for operations without immediate data.
    TransportRequestSubject* subject() const { return reinterpret_cast<TransportRequestSubject*>(word_); }
    // Returns the immediate data; for operations that have them.
    constexpr std::uint32_t immediate() const { return static_cast<std::uint32_t>(word_); }

private:
    std::uintptr_t word_ = 0;
};

// Borrowed for the length of the post call: the poster keeps `sges`, the transport copies the parts that it needs
// later.
struct WorkRequest {
    Operation operation = Operation::send;
    RequestFlags flags = RequestFlags::none;
    void* context = nullptr;  // comes back in the completion
    std::span<const Sge> sges;
    std::uint64_t remote_address = 0;  // Read and Write: virtual address at the target (ND2-MR-TOK-02)
    Token remote_token = Token::none;  // Read and Write; SendAndInvalidate: the token to invalidate
    RequestExtra extra = {};
};

}  // namespace opennd
