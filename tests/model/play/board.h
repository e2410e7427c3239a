// SPDX-License-Identifier: MIT
//
// Board: memory that the workers of a program and their master share. It has the program, what each side tells the other while
// it runs, and what each side saw, which is there for the oracle though its process may not be.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <span>

#include "conformance/vocabulary/outcome.h"
#include "model/play/clock.h"
#include "model/program/program.h"
#include "support/socket_address.h"

namespace opennd::modeled {

using conformance::Outcome;

inline constexpr std::size_t kMostOperations = 128, kMostEvents = 4096, kMostText = 32 * 1024;
inline constexpr std::size_t kArenaBytes = 48 * 1024 * 1024;

enum class EventKind : std::uint32_t {
    call,      // an operation; ended is 0 while it has not returned
    result,    // of the operation `operation`, with the content of its memory if it brings data
    skipped,   // an operation could not be tried: no free slot, an object that is no more
    granted,   // an area, for the `grant`-th time
    bound,     // a window's grant: its Bind is known to have run
    revoking,  // its end has begun
    revoked,   // the end of an area's grant, with the area's content; it is poisoned now
    seen,      // the content at the target of the Write `operation`, when a message was received
    final,     // the content of an area that is still granted when both sides are done
    notified,  // an arm, when all is done
    damaged,   // memory that the program had back was written: `bytes` is where
    stuck,     // a due event did not come
    done,      // the side is through
};

struct Event {
    EventKind kind = EventKind::call;
    std::uint32_t operation = 0;  // index in the program
    std::int64_t begun = 0, ended = 0;
    Outcome outcome = Outcome::pending;
    RequestKind request = RequestKind::receive;
    std::uint32_t bytes = 0;
    std::uint32_t pair = 0, area = 0, grant = 0;
    bool solicits = false, has_data = false;
    std::uint64_t at = 0, length = 0;  // in the arena
};

// A grant of an area: which it is, and its token. 0: none.
struct Grant {
    std::uint32_t number = 0, token = 0;
};

struct Trail {
    std::atomic<std::uint32_t> count;
    std::atomic<std::uint64_t> used;
    Event events[kMostEvents];
    char complaints[kMostText];  // of the driver, and of exceptions
    std::atomic<std::uint32_t> complained;
    std::byte arena[kArenaBytes];
};

// Tells the other side, and the other process, of a change. A waiting thread sleeps: on a busy machine it wakes sooner than one
// that polls would run.
class Bell {
public:
    void ring();
    template <typename Condition>
    bool wait_until(Condition&& done, std::int64_t patience_ns) {
        const std::int64_t end = now_ns() + patience_ns;
        for (;;) {
            const std::uint32_t heard = rung_.load();
            if (done()) return true;
            if (now_ns() >= end) return false;
            sleep(heard);
        }
    }

private:
    void sleep(std::uint32_t heard);  // while no more than that was rung, for some milliseconds at most

    std::atomic<std::uint32_t> rung_;
};

struct Board {
    Bell bell;
    char program[kMostText];
    support::SocketAddress listener;  // once `listens`
    std::atomic<bool> listens;
    std::atomic<pid_t> process[kSides];
    std::atomic<bool> dead[kSides];
    std::atomic<std::uint32_t> phase[kSides];
    std::atomic<bool> returned[kMostOperations];
    std::atomic<std::uint64_t> grants[kSides][kMostPairs][kAreas];  // number << 32 | token
    std::atomic<std::uint64_t> addresses[kSides];
    std::atomic<std::uint32_t> sends[kSides][kMostPairs], receives[kSides][kMostPairs];
    std::atomic<bool> ended[kMostPairs];         // something may have ended it
    std::atomic<bool> left[kSides][kMostPairs];  // this side has ended it, and its call has returned
    Trail trails[kSides];

    void reset(const Program& next);
};

// The board in a memfd, mapped.
class SharedBoard {
public:
    SharedBoard();                         // a new one
    explicit SharedBoard(int descriptor);  // that of another process
    SharedBoard(const SharedBoard&) = delete;
    SharedBoard& operator=(const SharedBoard&) = delete;
    ~SharedBoard();

    Board* operator->() const { return board_; }
    Board& operator*() const { return *board_; }
    int descriptor() const { return descriptor_; }

private:
    void map();

    int descriptor_;
    Board* board_ = nullptr;
};

// Appends to the trail of one side.
class Writer {
public:
    explicit Writer(Trail& trail) : trail_(trail) {}

    // The event's index, by which it can be changed later.
    std::size_t add(Event event, std::span<const std::byte> data = {});
    void attach(Event& event, std::span<const std::byte> data);
    Event& at(std::size_t index) { return trail_.events[index]; }
    void complain(const std::string& text);

private:
    Trail& trail_;
};

}  // namespace opennd::modeled
