// SPDX-License-Identifier: MIT
// The software RNIC as a transport: adapters on any interface, connected over a list of wires.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "platform/memory/mappable_memory.h"
#include "platform/thread/event_loop.h"
#include "transport/adapter.h"
#include "transport/soft/channel/traffic_ledger.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/progress/completion_queue.h"
#include "transport/soft/settings.h"
#include "transport/soft/wire.h"

namespace opennd::soft {

class SoftTransport final : public Transport {
public:
    // `loop`, the first of its event loops, `memory` and `layer` outlive it. `wires` in order of preference.
    SoftTransport(EventLoop& loop, MappableMemory& memory, std::vector<std::unique_ptr<Wire>> wires,
                  const Settings& settings = {}, ChannelLayer& layer = no_layer());

    Result<Ref<TransportAdapter>> open(const Interface& on, Face face) override;
    // Opens an adapter that uses one wire alone, whatever is selected. not_supported: there is no wire of this name.
    Result<Ref<SoftAdapter>> open(const Interface& on, Face face, std::string_view wire);
    // Returns true if a connection to `remote` could take the wire of this name, with the reason in words.
    bool reaches(std::string_view wire, const Address& remote, std::string& reason) const;
    TransportChoice explain(const Address& local, const Address& remote) override;
    std::optional<std::vector<WireTraffic>> traffic(std::uint32_t index) const override EXCLUDES(mutex_);

    // Selects the wires for connections and listeners made from now on, in order of preference. Unknown names are
    // ignored.
    void select(const std::vector<std::string>& names);
    std::vector<Wire*> chosen_wires() const;

    // Sets the rule of completion queues that are made from now on.
    void set_overrun_rule(OverrunRule rule) { overrun_rule_.store(rule, std::memory_order_relaxed); }
    OverrunRule overrun_rule() const { return overrun_rule_.load(std::memory_order_relaxed); }

    // The abilities of every adapter, and the profile that has lowered them.
    const AdapterAbilities& abilities() const { return abilities_; }
    const AppliedProfile* profile() const { return profile_ ? &*profile_ : nullptr; }

    EventLoop& event_loop() { return loop_; }
    MappableMemory& mappable_memory() { return memory_; }
    // The parts that adapters share. The first service is started with the first adapter, which fails if it cannot be.
    SharedParts shared_parts() { return {loop_, memory_, services_, settings_.no_receive_time, layer_}; }

    // Claims a pair of addresses, (own address, peer's address), for a connection accepted in this process
    // (ND2-CON-BIND-04). Returns false if `unique` was requested, and there is one.
    bool claim_addresses(const Address& local, const Address& peer, bool unique);
    void release_addresses(const Address& local, const Address& peer);

private:
    Result<Ref<SoftAdapter>> open_over(const Interface& on, Face face, Wire* wire);
    Wire* wire_of(std::string_view name) const;
    Ref<TrafficLedger> ledger_of(std::uint32_t index, Face face) EXCLUDES(mutex_);

    // Constant after construction.
    EventLoop& loop_;
    MappableMemory& memory_;
    const std::vector<std::unique_ptr<Wire>> wires_;
    const Settings settings_;
    ChannelLayer& layer_;
    const AdapterAbilities abilities_;
    const std::optional<AppliedProfile> profile_;
    Services services_;

    std::atomic<OverrunRule> overrun_rule_{OverrunRule::forgiving};  // relaxed: it stands alone

    mutable Mutex mutex_;
    std::multiset<std::pair<Address, Address>> connected_ GUARDED_BY(mutex_);
    std::vector<Wire*> chosen_ GUARDED_BY(mutex_);
    // The ledgers of each interface that was opened, by its index and the face that opened it.
    std::map<std::pair<std::uint32_t, Face>, Ref<TrafficLedger>> ledgers_ GUARDED_BY(mutex_);
};

}  // namespace opennd::soft
