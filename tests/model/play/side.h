// SPDX-License-Identifier: MIT
//
// Side: one side of a program on the real library, by one thread. It does what its operations say, writes down what it saw,
// and decides nothing; oracle.h judges. When both sides are through, what must complete by itself is waited for, the rest is
// flushed, and everything is let go in an order that the program draws.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/vocabulary/driver.h"
#include "model/play/memory.h"
#include "model/play/results.h"
#include "support/vanishing_memory.h"

namespace opennd::modeled {

class Side {
public:
    Side(conformance::Driver& driver, const Program& program, unsigned index, Board& board);
    ~Side();

    void play();

private:
    struct Outstanding {
        std::uint32_t operation;
        std::size_t event = 0;  // of its call
        unsigned ordinal = 0;   // among the Sends, or the receives, of its pair
        std::optional<Slot> slot;
        std::vector<Piece> pieces;
        std::uint64_t at = 0, length = 0;  // in the arena: the content of its slot when that was given back early
        bool captured = false;
        bool forfeited = false;  // its memory was taken back without asking
    };
    enum class WindowState { free, binding, bound, invalidating, lost };
    struct Window {
        std::unique_ptr<conformance::MemoryWindow> object;
        WindowState state = WindowState::free;
        unsigned pair = 0;
        std::uint32_t request = 0;  // the newest Bind or Invalidate
    };
    struct Pair {
        std::unique_ptr<conformance::QueuePair> queue_pair;
        std::unique_ptr<conformance::Connector> connector;
        std::deque<Outstanding> initiators, receives;  // receives of a shared queue stand in the side's
        std::vector<conformance::Operation> disconnects;
        std::vector<std::pair<std::uint32_t, conformance::Operation>> ends;  // those that wait to be told
    };
    struct Arm {
        std::uint32_t operation;
        conformance::Operation notify;
        std::size_t after;  // events before it
        bool due = false;   // a result that it is for came later
    };

    // ---- beginning and end
    void create();
    void connect();
    void quiesce();
    void finish();
    void leave();
    void look_at_areas();
    void let_go();
    void reach(std::uint32_t phase);

    // ---- operations
    void perform(std::uint32_t index);
    void wait_for_those_before(std::uint32_t index);
    void post(std::uint32_t index);
    // An entry with these bytes, which begins in memory that is there and ends in memory that is gone.
    conformance::Sge entry_that_is_lost(std::span<const std::byte> bytes);
    conformance::Outcome post_transfer(Event& event, const Operation& operation, const Outstanding& request);
    bool post_window(std::uint32_t index);
    void arm(std::uint32_t index);
    void resize(std::uint32_t index);
    void modify(std::uint32_t index);
    void await_end(std::uint32_t index);
    void flush(std::uint32_t index);
    void disconnect(std::uint32_t index);
    void release_queue_pair(std::uint32_t index);
    void release_connector(std::uint32_t index);
    void withdraw(std::uint32_t index);
    void enroll(std::uint32_t index);
    void release_window(std::uint32_t index);
    void kill(std::uint32_t index);
    void drain();

    // ---- results
    std::size_t take(std::size_t most);
    void handle(const conformance::Completion& completion);
    void settle(unsigned pair, std::uint32_t operation, conformance::Outcome outcome);
    void give_back(Outstanding& request);
    void capture_all(unsigned pair);
    void see_writes(unsigned pair);
    void note_due_arms(const Event& result, std::uint32_t posted_at);

    // ---- grants
    void prepare(unsigned area, std::uint32_t operation);
    void publish_to_all(unsigned area);
    void publish(unsigned area, unsigned pair, std::uint32_t token);
    void begin_revoking(unsigned area, std::uint32_t operation);
    void revoke(unsigned area, std::uint32_t operation);

    // ---- questions
    bool is(const char* face) const { return program_.setting.face == face; }
    bool shares() const { return program_.setting.shared_receives[index_]; }
    // is_behind(): messages of that side wait for receives of the other, and its later ones behind them.
    std::uint32_t matched(unsigned receiver, unsigned pair) const;
    bool is_behind(unsigned sender, unsigned pair) const {
        return board_.sends[sender][pair] > matched(1 - sender, pair);
    }
    bool finishes_alone(unsigned pair) const;
    const Operation* untold(unsigned pair, std::uint32_t& index) const;
    bool outstanding_left() const;
    void skip(std::uint32_t index);
    void stuck(std::uint32_t index);
    void may_end(unsigned pair) { board_.ended[pair] = true; }
    void may_end_all();
    Event begin(std::uint32_t index) const;

    const Program& program_;
    const unsigned index_, other_;
    Board& board_;
    Writer writer_;
    Memory memory_;
    std::unique_ptr<conformance::Adapter> adapter_;
    std::unique_ptr<conformance::CompletionQueue> received_, initiated_;
    std::optional<Results> results_;  // of both, until they go
    std::unique_ptr<conformance::SharedReceiveQueue> shared_;
    std::array<std::unique_ptr<conformance::MemoryRegion>, kRegions> regions_;
    std::array<bool, kRegions> registered_{};
    std::uint32_t stale_token_ = 0;
    struct Lost {
        Lost(support::Way way, std::size_t bytes) : memory(way, bytes) {}
        support::VanishingMemory memory;
        std::unique_ptr<conformance::MemoryRegion> region;
    };
    std::deque<Lost> lost_;  // of requests with Spoil::absent
    std::array<Window, kWindows> windows_;
    std::array<std::uint32_t, kAreas> grants_{};  // how often each was granted
    std::array<bool, kAreas> granted_{};
    std::vector<Pair> pairs_;
    std::deque<Outstanding> shared_receives_;
    std::array<unsigned, kMostPairs> sends_{}, receives_{}, receives_done_{};
    std::array<bool, kMostPairs> over_here_{};  // by a call of this side
    std::vector<Arm> arms_;
};

// Plays one side to its end. An exception becomes a complaint, and the other side waits for this one no more.
void play(conformance::Driver& driver, const Program& program, unsigned side, Board& board);

}  // namespace opennd::modeled
