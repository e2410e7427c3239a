// SPDX-License-Identifier: MIT
//
// History: the events of a run as requests and grants, each with its beginning and its end. What it knows, the oracle judges.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/play/board.h"

namespace opennd::modeled {

inline constexpr std::int64_t kNever = INT64_MAX;
inline constexpr std::uint32_t kNoOperation = ~0u;

struct Request {
    const Operation* operation = nullptr;
    std::uint32_t index = 0;  // of the operation
    unsigned side = 0;
    const Event* call = nullptr;
    const Event* result = nullptr;
    std::int64_t begun = 0, over = kNever;
    std::optional<Outcome> outcome =
        std::nullopt;  // none: its side died first. Of a silent one without a result: success

    bool succeeded() const { return outcome == Outcome::success; }
    bool is_canceled() const { return outcome == Outcome::canceled; }
    bool failed() const { return outcome && !succeeded() && !is_canceled(); }
    std::uint32_t length() const { return operation->length; }
};

// An area, granted once.
struct Granted {
    unsigned owner = 0, area = 0;
    std::uint32_t number = 0;
    const Operation* bind = nullptr;  // of a window
    std::int64_t revoking = kNever, revoked = kNever;
};

struct Order {
    const Event* result;
    const char* wrong;
};

class History {
public:
    History(const Program& program, const Board& board);

    using Queue = std::vector<Request>;
    const Queue& initiators(unsigned side, unsigned pair) const { return initiators_[side][pair]; }
    // Of a queue pair, or of all where they are shared: then in the queue of pair 0.
    const Queue& receives(unsigned side, unsigned pair) const { return receives_[side][shares(side) ? 0 : pair]; }
    std::vector<const Request*> sends(unsigned side, unsigned pair) const;
    const Request* find(unsigned side, std::uint32_t operation) const;
    const Granted* grant(unsigned owner, unsigned area, std::uint32_t number) const;
    // Results that had no place.
    const std::vector<Order>& disorder() const { return disorder_; }

    bool is_complete(unsigned side) const { return complete_[side]; }
    bool is_dead(unsigned side) const { return board_.dead[side]; }
    bool shares(unsigned side) const { return program_.setting.shared_receives[side]; }
    std::span<const Event> events(unsigned side) const {
        return {board_.trails[side].events, board_.trails[side].count.load()};
    }
    std::string_view complaints(unsigned side) const {
        return {board_.trails[side].complaints, board_.trails[side].complained.load()};
    }
    std::span<const std::byte> data(unsigned side, const Event& event) const {
        return {board_.trails[side].arena + event.at, event.length};
    }

private:
    void read(unsigned side);
    void add_call(unsigned side, const Event& event);
    void add_result(unsigned side, const Event& event);

    const Program& program_;
    const Board& board_;
    Queue initiators_[kSides][kMostPairs], receives_[kSides][kMostPairs];
    std::size_t next_[kSides][kMostPairs] = {};  // of the initiators: those before have their outcome
    std::vector<Granted> grants_;
    std::vector<Order> disorder_;
    bool complete_[kSides] = {};
};

}  // namespace opennd::modeled
