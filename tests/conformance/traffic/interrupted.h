// SPDX-License-Identifier: MIT
//
// Interrupted: the two sides of a connection that ends at any moment, and the oracle for both. The sender posts what is drawn,
// some of it spoiled, and uses memory again as soon as it has the result; the receiver keeps what came. Each side is one thread's.
#pragma once

#include <atomic>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "conformance/endpoint.h"

namespace opennd::conformance::traffic {

inline constexpr std::size_t kMostRequests = 24;
inline constexpr std::size_t kLongestRequest = 60'000;
inline constexpr std::size_t kInterruptedSlots = 8;  // of either side, for its own requests
// The receiver's memory: its receives, a place for each Write, and what Reads read.
inline constexpr std::size_t kPlaces = kInterruptedSlots * kLongestRequest;
inline constexpr std::size_t kReadable = kPlaces + kMostRequests * kLongestRequest;
inline constexpr std::size_t kInterruptedBytes = kReadable + kLongestRequest;

inline constexpr std::byte kPlaceUnwritten{0xEE};
inline constexpr std::byte kReused{0x77};  // memory that its program has back

class InterruptedReceiver {
public:
    explicit InterruptedReceiver(Endpoint& endpoint);

    // Posts or takes something, or does nothing.
    void step(std::mt19937_64& random);
    // Everything has its result.
    void finish();

    const std::vector<std::vector<std::byte>>& messages() const { return messages_; }
    std::span<const std::byte> place(std::size_t request) const {
        return endpoint_.bytes(kPlaces + request * kLongestRequest, kLongestRequest);
    }
    Remote remote(std::size_t offset) const { return {remote_.address + offset, remote_.token}; }
    void check_memory() const;

private:
    bool take();

    Endpoint& endpoint_;
    const Remote remote_;
    std::vector<std::vector<std::byte>> messages_;
    Tag posted_ = 0, taken_ = 0;
};

class InterruptedSender {
public:
    InterruptedSender(Endpoint& endpoint, const InterruptedReceiver& peer);

    // Posts or takes something. False: nothing is accepted any more.
    bool step(std::mt19937_64& random);
    // The queue pair was flushed, or let go: everything has its result.
    void finish();

    // Whether both sides agree. `exact`: what was canceled has no effect at the peer, whatever ended the connection.
    void check(const InterruptedReceiver& receiver, bool exact) const;

private:
    enum class Spoiled { no, here, at_the_peer };
    struct Request {
        RequestKind kind;
        std::size_t length;
        bool silent;
        Spoiled spoiled;
        Outcome outcome = Outcome::pending;
    };

    bool post(std::mt19937_64& random);
    bool take();
    void settle(Tag tag, Outcome outcome);
    void give_back(Tag tag);
    std::string description() const;
    void check_results() const;
    void check_messages(const InterruptedReceiver& receiver, bool exact, std::size_t first_spoiled) const;
    void check_place(const InterruptedReceiver& receiver, Tag tag, bool exact) const;
    std::size_t slot(Tag tag) const { return tag % kInterruptedSlots * kLongestRequest; }

    Endpoint& endpoint_;
    const InterruptedReceiver& peer_;
    std::uint32_t stale_token_ = 0;
    std::vector<Request> requests_;  // a tag is an index
    Tag settled_ = 0;                // those before have their outcome
};

}  // namespace opennd::conformance::traffic
