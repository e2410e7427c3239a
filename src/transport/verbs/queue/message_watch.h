// SPDX-License-Identifier: MIT
// The time that a message of this side may wait for a receive of the peer (ND2-QP-SEND-05). The hardware repeats such a message
// without end, at the peer's pace, and tells nothing of it. So OpenND looks now and then whether results come. A message that
// stands may also be lost on a path that is down for a moment, where the hardware repeats it by its own, longer limit: so the
// peer's host is asked, and time counts against the peer's program only once its host has answered.
//
// Pure: the queue pair looks, asks and ends (hardware_queue_pair_watch.cpp).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "platform/process/clock.h"

namespace opennd::verbs {

struct MessageLimit {
    std::chrono::milliseconds wait;    // for a receive
    std::chrono::milliseconds answer;  // after which the hardware repeats what the path has lost
};

// The initiator requests of a queue pair, as far as the hardware has told.
struct SendProgress {
    std::uint32_t retired = 0;  // the number of the oldest that is outstanding
    bool outstanding = false;
    bool will_tell = false;    // a later result tells of the oldest
    bool has_message = false;  // among the requests up to that result
    std::uint64_t bytes = 0;   // of these requests
};

class MessageWatch {
public:
    enum class Step : std::uint8_t {
        rest,      // nothing is outstanding: look no more, until begin()
        look,      // look again after pause()
        ask_tell,  // no result will tell of the oldest request: post one that does, then look
        ask_peer,  // ask whether the peer's host answers, then look
        expire,    // the peer has posted no receive in time
    };

    void begin(const MessageLimit& limit, std::uint32_t oldest, SteadyTime time) {
        limit_ = limit;
        stand(oldest, time);
    }

    // The peer's host has answered.
    void answered(SteadyTime time) {
        if (asked_ && !answered_) answered_ = time;
    }

    Step look(const SendProgress& seen, SteadyTime time) {
        if (!seen.outstanding) return Step::rest;
        if (seen.retired != oldest_) stand(seen.retired, time);
        const SteadyTime due = since_ + limit_.wait + time_of(seen.bytes);
        if (!seen.will_tell) return time - since_ >= pause() ? Step::ask_tell : Step::look;
        if (!seen.has_message || time < due - limit_.wait * 3 / 4) return Step::look;
        if (!std::exchange(asked_, true)) return Step::ask_peer;
        // What the path had lost before the answer has been repeated by then.
        const bool expires = answered_ && time >= due && time >= *answered_ + limit_.answer + limit_.answer / 8;
        return expires ? Step::expire : Step::look;
    }

    // The time between two looks.
    std::chrono::milliseconds pause() const { return std::max(limit_.wait / 4, std::chrono::milliseconds{5}); }

private:
    // A message of this size takes a second on a path that many share.
    static constexpr std::uint64_t kBytesOfASecond = 8u << 20;

    static std::chrono::milliseconds time_of(std::uint64_t bytes) {
        return std::chrono::milliseconds(bytes * 1000 / kBytesOfASecond);
    }

    void stand(std::uint32_t oldest, SteadyTime time) {
        oldest_ = oldest;
        since_ = time;
        asked_ = false;
        answered_.reset();
    }

    MessageLimit limit_{};
    std::uint32_t oldest_ = 0;
    SteadyTime since_{};  // no later than the first look at oldest_
    bool asked_ = false;
    std::optional<SteadyTime> answered_;
};

}  // namespace opennd::verbs
