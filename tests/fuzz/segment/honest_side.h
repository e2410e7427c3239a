// SPDX-License-Identifier: MIT
// The honest end of a connection: a real queue pair over a real ring, with every byte of its memory watched. Each step
// is one call of a program or of the service thread; after it the promises of docs/threat_model.md are checked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fuzz/script.h"
#include "fuzz/world.h"
#include "transport/local/ring_channel.h"
#include "transport/soft/adapter.h"
#include "transport/soft/queue_pair/queue_pair.h"

namespace opennd::fuzz {

// Where a request may go at the peer.
struct RemoteTarget {
    std::uint64_t address;
    Token token;
};

class HonestSide {
public:
    enum RegionName : std::size_t { inbox, outbox, shared, vault, kRegions };
    struct Region {
        std::byte* data;
        std::size_t bytes;
        Ref<TransportMemory> memory;  // null: deregistered
        Token remote_token;
    };

    // The channel is one end of a segment; another thread or process may write any bytes to it.
    HonestSide(Ref<soft::SoftAdapter> adapter, Ref<local::RingChannel> channel);
    HonestSide(const HonestSide&) = delete;
    HonestSide& operator=(const HonestSide&) = delete;
    // The connection ends, and with it everything posted.
    ~HonestSide();

    void receive(Script& script);
    void send(Script& script);
    void read(Script& script, const RemoteTarget& from);
    void write(Script& script, const RemoteTarget& to);
    void bind(Script& script);
    void invalidate();
    void poll(std::size_t room);
    void arm(NotifyKind kind);
    // A turn of the service thread.
    void serve();
    void deregister(RegionName name);
    void flush();

    // The peer's knowledge of this side.
    const Region& region(std::size_t name) const { return regions_[name]; }
    Token window_token() const { return binding_ ? binding_->remote_token() : Token::none; }

private:
    class End;
    class Events final : public CompletionQueueSink {
        void on_completion_event(NotifyKind) override {}
        void on_overrun() override {}
    };
    struct Posted {
        bool silent = false;
        bool completed = false;
        std::vector<Sge> filled;  // memory that may change until it completes
    };
    static constexpr std::size_t kMostRequests = 64;
    static constexpr std::size_t kSges = 4;

    Sge part_of(RegionName name, Script& script) const;
    std::vector<Sge> parts_of(RegionName name, Script& script) const;
    void post(WorkRequest request, bool fills);
    void note(const Completion& completion);
    void check();
    void tell_change() const;
    void check_failure();
    bool is_registered(const std::byte* at) const;
    void accept(const std::byte* from, std::size_t bytes);

    const StillService still_;
    const Ref<soft::SoftAdapter> adapter_;
    const Ref<local::RingChannel> channel_;
    Events events_;
    Ref<TransportCompletionQueue> completions_;
    Ref<soft::SoftQueuePair> queue_pair_;
    Ref<End> end_;
    std::array<Region, kRegions> regions_;
    Ref<TransportWindowBinding> binding_;
    bool window_bound_ = false;
    bool flushed_ = false;  // the program itself put the queue pair in error
    std::vector<Posted> posted_;
};

}  // namespace opennd::fuzz
