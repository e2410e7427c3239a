// SPDX-License-Identifier: MIT
//
// See interrupted.h.
#include "conformance/traffic/interrupted.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/pattern.h"

namespace opennd::conformance::traffic {
namespace {

using support::fill_pattern;
using support::fill_with;
using support::has_pattern;
using support::is_filled_with;

constexpr std::uint64_t kReadableSeed = 1'000;

std::size_t draw(std::mt19937_64& random, std::size_t below) { return static_cast<std::size_t>(random() % below); }

std::size_t draw_length(std::mt19937_64& random) {
    constexpr std::size_t kMost[] = {96, 4'000, kLongestRequest};
    return 1 + draw(random, kMost[draw(random, std::size(kMost))]);
}

// Each byte is the pattern's or was never written.
testing::AssertionResult has_part_of_pattern(std::span<const std::byte> bytes, std::uint64_t seed) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (bytes[i] != kPlaceUnwritten && bytes[i] != support::pattern_byte(seed, i))
            return testing::AssertionFailure() << "byte " << i << " is neither";
    return testing::AssertionSuccess();
}

}  // namespace

InterruptedReceiver::InterruptedReceiver(Endpoint& endpoint) : endpoint_(endpoint), remote_(endpoint.remote()) {
    fill_with(endpoint.memory.bytes(), kPlaceUnwritten);
    fill_pattern(endpoint.bytes(kReadable, kLongestRequest), kReadableSeed);
}

void InterruptedReceiver::step(std::mt19937_64& random) {
    if (posted_ - taken_ < kInterruptedSlots && draw(random, 4) == 0) {
        const Tag tag = posted_++;
        EXPECT_EQ(endpoint_.receive(tag, tag % kInterruptedSlots * kLongestRequest, kLongestRequest), Outcome::success);
    }
    if (draw(random, 3) != 0) take();
}

bool InterruptedReceiver::take() {
    const auto results = endpoint_.received->poll(1);
    if (results.empty()) return false;
    const Completion& result = results.front();
    EXPECT_EQ(result.request, taken_++);
    const auto memory = endpoint_.bytes(result.request % kInterruptedSlots * kLongestRequest, kLongestRequest);
    if (result.outcome == Outcome::success)
        messages_.emplace_back(memory.begin(), memory.begin() + result.bytes);
    else
        EXPECT_EQ(result.outcome, Outcome::canceled);
    fill_with(memory, kReused);
    return true;
}

void InterruptedReceiver::finish() {
    while (taken_ != posted_)
        if (!take()) {
            ADD_FAILURE() << "only " << taken_ << " of " << posted_ << " receives have a result after Flush";
            return;
        }
}

void InterruptedReceiver::check_memory() const {
    for (std::size_t slot = 0; slot < std::min<std::size_t>(posted_, kInterruptedSlots); ++slot)
        EXPECT_TRUE(is_filled_with(endpoint_.bytes(slot * kLongestRequest, kLongestRequest), kReused))
            << "receive memory was written after its result";
}

InterruptedSender::InterruptedSender(Endpoint& endpoint, const InterruptedReceiver& peer)
    : endpoint_(endpoint), peer_(peer) {
    auto region = registered(*endpoint.adapter, endpoint.memory.data(), kLongestRequest, kAllRights);
    stale_token_ = region->local_token();
    EXPECT_EQ(region->withdraw().wait(), Outcome::success);
}

bool InterruptedSender::step(std::mt19937_64& random) {
    if (draw(random, 2) == 0) take();
    const bool room = requests_.size() - settled_ < kInterruptedSlots && requests_.size() < kMostRequests;
    return !room || post(random);
}

bool InterruptedSender::post(std::mt19937_64& random) {
    constexpr RequestKind kKinds[] = {RequestKind::send, RequestKind::send, RequestKind::write, RequestKind::read};
    const Tag tag = requests_.size();
    Request request{kKinds[draw(random, std::size(kKinds))], draw_length(random), draw(random, 5) == 0, Spoiled::no};
    const std::size_t misfortune = draw(random, 24);
    if (misfortune == 0) request.spoiled = Spoiled::here;
    if (misfortune == 1 && request.kind != RequestKind::send) request.spoiled = Spoiled::at_the_peer;

    Sge sge = endpoint_.piece(slot(tag), request.length);
    if (request.spoiled == Spoiled::here) sge.token = stale_token_;
    Remote there = peer_.remote(request.kind == RequestKind::read ? kReadable : kPlaces + tag * kLongestRequest);
    if (request.spoiled == Spoiled::at_the_peer) there.token ^= 0x5A5A5A5A;
    const unsigned flags = (request.silent ? kSilent : kNoFlags) | (draw(random, 6) == 0 ? kReadFence : kNoFlags);
    fill_pattern(endpoint_.bytes(slot(tag), request.length), tag);
    Outcome outcome = Outcome::unexpected;
    switch (request.kind) {
        case RequestKind::send: outcome = endpoint_.queue_pair->send(tag, {&sge, 1}, flags); break;
        case RequestKind::write: outcome = endpoint_.queue_pair->write(tag, {&sge, 1}, there, flags); break;
        default: outcome = endpoint_.queue_pair->read(tag, {&sge, 1}, there, flags); break;
    }
    if (outcome != Outcome::success) {  // the connection is over, which not every face accepts requests after
        fill_with(endpoint_.bytes(slot(tag), kLongestRequest), kReused);
        return false;
    }
    requests_.push_back(request);
    return true;
}

bool InterruptedSender::take() {
    const auto results = endpoint_.initiated->poll(1);
    if (results.empty()) return false;
    const Completion& result = results.front();
    for (; settled_ < result.request; ++settled_) {
        EXPECT_TRUE(requests_.at(settled_).silent) << "request " << settled_ << " has no result";
        settle(settled_, Outcome::success);
    }
    EXPECT_EQ(result.request, settled_);
    EXPECT_EQ(result.kind, requests_.at(settled_).kind);
    settle(settled_++, result.outcome);
    return true;
}

void InterruptedSender::settle(Tag tag, Outcome outcome) {
    Request& request = requests_[tag];
    request.outcome = outcome;
    const auto memory = endpoint_.bytes(slot(tag), request.length);
    if (request.kind == RequestKind::read && outcome == Outcome::success) {
        EXPECT_TRUE(has_pattern(memory, kReadableSeed)) << "request " << tag;
    }
    fill_with(endpoint_.bytes(slot(tag), kLongestRequest), kReused);
}

void InterruptedSender::finish() {
    while (take()) {
    }
    for (; settled_ < requests_.size(); ++settled_) {
        EXPECT_TRUE(requests_[settled_].silent) << "request " << settled_ << " has no result after Flush";
        settle(settled_, Outcome::success);
    }
}

void InterruptedSender::check(const InterruptedReceiver& receiver, bool exact) const {
    const auto spoiled =
        std::find_if(requests_.begin(), requests_.end(), [](const Request& r) { return r.spoiled != Spoiled::no; });
    const auto first_spoiled = static_cast<std::size_t>(spoiled - requests_.begin());
    SCOPED_TRACE(description());
    check_results();
    check_messages(receiver, exact, first_spoiled);
    for (Tag tag = 0; tag < requests_.size(); ++tag)
        if (requests_[tag].kind == RequestKind::write) check_place(receiver, tag, exact || tag > first_spoiled);
    const std::size_t used = std::min<std::size_t>(requests_.size(), kInterruptedSlots);
    EXPECT_TRUE(is_filled_with(endpoint_.bytes(0, used * kLongestRequest), kReused)) << "written after its result";
}

std::string InterruptedSender::description() const {
    std::string all;
    for (const Request& request : requests_) {
        constexpr const char* kSpoiled[] = {"", ", spoiled here", ", spoiled at the peer"};
        all += request.kind == RequestKind::send ? "Send" : request.kind == RequestKind::write ? "Write" : "Read";
        all += " of " + std::to_string(request.length) + (request.silent ? ", silent" : "") +
               kSpoiled[static_cast<std::size_t>(request.spoiled)] + ": " + name_of(request.outcome) + '\n';
    }
    return all;
}

// One cause at most; a spoiled request has it, unless something before it failed; nothing behind it succeeds.
void InterruptedSender::check_results() const {
    bool ended = false, behind_spoiled = false;
    std::size_t causes = 0;
    for (Tag tag = 0; tag < requests_.size(); ++tag) {
        const Request& request = requests_[tag];
        SCOPED_TRACE("request " + std::to_string(tag));
        if (request.spoiled != Spoiled::no) {
            EXPECT_TRUE(request.outcome == Outcome::access_violation || request.outcome == Outcome::canceled || ended)
                << request.outcome;
            EXPECT_NE(request.outcome, Outcome::success);
            behind_spoiled = true;
        } else if (behind_spoiled) {
            EXPECT_EQ(request.outcome, Outcome::canceled);
        }
        ended = ended || request.outcome != Outcome::success;
        causes += request.outcome != Outcome::success && request.outcome != Outcome::canceled ? 1 : 0;
    }
    EXPECT_LE(causes, 1u);
}

// The peer has the first of the Sends, whole, and these are those that succeeded.
void InterruptedSender::check_messages(const InterruptedReceiver& receiver, bool exact,
                                       std::size_t first_spoiled) const {
    std::size_t count = 0;
    for (Tag tag = 0; tag < requests_.size(); ++tag) {
        const Request& request = requests_[tag];
        if (request.kind != RequestKind::send) continue;
        SCOPED_TRACE("Send " + std::to_string(tag) + ", " + name_of(request.outcome));
        const bool arrived = count < receiver.messages().size();
        if (arrived) {
            const std::vector<std::byte>& message = receiver.messages()[count];
            EXPECT_EQ(message.size(), request.length);
            EXPECT_TRUE(has_pattern(message, tag)) << "other bytes than were posted";
            EXPECT_LT(tag, first_spoiled) << "it is behind a request that failed";
        }
        if (exact || request.outcome == Outcome::success) {
            EXPECT_EQ(arrived, request.outcome == Outcome::success);
        }
        ++count;
    }
    EXPECT_LE(receiver.messages().size(), count);
}

void InterruptedSender::check_place(const InterruptedReceiver& receiver, Tag tag, bool exact) const {
    const Request& request = requests_[tag];
    SCOPED_TRACE("Write " + std::to_string(tag) + ", " + name_of(request.outcome));
    const auto written = receiver.place(tag).first(request.length);
    if (request.outcome == Outcome::success) {
        EXPECT_TRUE(has_pattern(written, tag));
    } else if (exact) {
        EXPECT_TRUE(is_filled_with(written, kPlaceUnwritten));
    } else {
        EXPECT_TRUE(has_part_of_pattern(written, tag));
    }
    EXPECT_TRUE(is_filled_with(receiver.place(tag).subspan(request.length), kPlaceUnwritten));
}

}  // namespace opennd::conformance::traffic
