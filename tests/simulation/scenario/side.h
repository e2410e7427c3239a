// SPDX-License-Identifier: MIT
// One end of a connection as a program has it: it carries out a plan, looks at every result and every byte, and gives all back.
#pragma once

#include <opennd.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "simulation/world/process.h"
#include "simulation/world/world.h"
#include "support/com_ptr.h"

namespace opennd::simulation {

// A request of a plan.
struct Planned {
    enum class Kind : std::uint8_t { send, write, read };
    Kind kind = Kind::send;
    std::uint32_t bytes = 0;
    bool solicits = false;
    bool silent = false;
    bool denied = false;  // by a token that grants nothing
};

// How a plan is carried out.
struct Manner {
    enum class Waits : std::uint8_t { polls, arms };
    enum class Ends : std::uint8_t { disconnects, flushes, releases, leaves_it_to_the_peer };
    Waits waits = Waits::polls;
    Ends ends = Ends::disconnects;
    std::uint32_t depth = 16;         // of each queue
    std::uint32_t longest_pause = 0;  // between two looks, microseconds
    bool posts_beside = false;        // from a thread of its own
    std::uint32_t ends_after = ~0u;   // requests, outstanding ones included
    bool waits_for_end = true;        // asks for the notice
    std::uint32_t read_limit = 4;
};

// The state of one direction that both ends and the oracle share.
struct Direction {
    std::vector<Planned> plan;
    std::uint32_t posted = 0;
    std::vector<HRESULT> results;      // of the requests of the plan; ND_PENDING: none yet
    std::uint32_t received = 0;        // Sends that were delivered
    std::vector<std::uint32_t> sends;  // which of the plan are Sends
    bool ends = false;                 // the program of the side that sends has begun to
    bool withdraws = false;            // the same, to deregister its memory
    // The memory that the receiving end grants the sending one.
    std::uint64_t target = 0, source = 0;
    UINT32 token = 0;
    // A request that was posted fails.
    bool is_denied() const {
        return std::any_of(plan.begin(), plan.begin() + posted, [](const Planned& planned) { return planned.denied; });
    }
};

// A connection of the run.
struct Link {
    std::uint64_t number = 0;
    Direction directions[2];  // from the side that connects; from the one that accepts
    std::uint32_t most_bytes = 0;
    bool wire_may_break = false;
    bool alone = false;  // the run has no other
    const Machine* peers_machine[2] = {};
};

// An overlapped request with an event of its own, as programs make them.
class Request {
public:
    Request();
    ~Request();
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

    OVERLAPPED* get() { return &overlapped_; }
    // The final status; `begun`: the result of the call.
    HRESULT end(HRESULT begun, IND2Overlapped* object);

private:
    OVERLAPPED overlapped_{};
    HANDLE event_ = nullptr;
};

class Side {
public:
    // `connector`: as new, or with a request.
    Side(Process& process, IND2Adapter& adapter, support::ComPtr<IND2Connector> connector, Link& link, int number,
         const Manner& manner);
    ~Side();
    Side(const Side&) = delete;
    Side& operator=(const Side&) = delete;

    IND2Connector* connector() const { return connector_.get(); }

    // Each gives how it ended. The listener's side learns from the private data which connection it is.
    HRESULT connect(const Address& from, const Address& to);
    HRESULT accept();
    // Nothing was connected.
    void give_up();
    // Until the plans of both sides are done or the connection has ended, and then to the end.
    void converse();

    static constexpr std::uint32_t kSlots = 16;

private:
    struct Outstanding {
        std::uint32_t request, slot;
    };
    // The program's memory, by use; each piece is as long as the longest message.
    std::byte* receive_memory(std::uint32_t slot) { return memory_.data() + slot * stride_; }
    std::byte* send_memory(std::uint32_t slot) { return receive_memory(manner_.depth + slot); }
    std::byte* target_memory(std::uint32_t slot) { return receive_memory(2 * manner_.depth + slot); }
    std::byte* source_memory() { return target_memory(kSlots); }
    ND2_SGE entry(std::byte* at, std::uint32_t bytes) const;

    void make_objects();
    void post_receive(std::uint32_t slot);
    void post(std::uint32_t request, std::uint32_t slot);
    void post_what_fits();
    void post_beside();
    bool look();
    void take(const ND2_RESULT& result);
    void take_received(const ND2_RESULT& result);
    void take_finished(const ND2_RESULT& result);
    void finish(const Outstanding& request, HRESULT status);
    void check_written_before(std::uint32_t send);
    bool is_lost() const;
    void wait_for_news();
    void end();
    void expect_all_results();
    // From now on nothing of it may change.
    void watch(std::span<std::byte> memory, const char* claim);
    bool all_done() const;
    void expect(bool holds, const std::string& claim) const;
    std::string text_of(std::uint32_t request) const;
    std::uint64_t seed_of(int direction, std::uint32_t request) const;

    World& world_;
    Process& process_;
    IND2Adapter& adapter_;
    Link& link_;
    const int number_;
    const Manner manner_;
    Direction& mine_;
    Direction& peers_;
    const std::size_t stride_;
    std::vector<std::byte> memory_;

    HANDLE file_ = nullptr;
    support::ComPtr<IND2CompletionQueue> queue_;
    support::ComPtr<IND2MemoryRegion> region_;
    support::ComPtr<IND2QueuePair> pair_;
    support::ComPtr<IND2Connector> connector_;

    std::deque<Outstanding> outstanding_;
    std::vector<std::uint32_t> free_slots_;
    std::uint32_t receives_out_ = 0;
    std::uint32_t longest_pause_ = 1;  // microseconds
    bool failed_ = false;              // one of this side's requests
    bool over_ = false;                // requests are flushed
    bool receives_over_ = false;       // a Receive was
    bool ending_ = false;
    bool poster_works_ = false;
};

}  // namespace opennd::simulation
