// SPDX-License-Identifier: MIT
//
// Party: one thread of mixed traffic with an adapter, a completion queue and memory that its flows share.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "conformance/traffic/flow.h"
#include "support/buffer.h"

namespace opennd::conformance::traffic {

class Party {
public:
    Party(Driver& driver, support::MemoryKind memory, std::size_t flows);

    // Flow i of `other` is connected with flow i of this. Scripts are drawn from the seed.
    static void connect(Party& active, Party& passive, std::uint64_t seed, std::size_t steps);

    // Until all flows are done, or `failed`, which it sets if something goes wrong or nothing happens for too long.
    void run(std::uint64_t seed, std::chrono::seconds patience, std::atomic<bool>& failed);
    // When all parties have run: the peers' memory, and that nothing is left in the queue.
    void check_the_end();

private:
    void add_flow(std::size_t index, std::uint64_t own_seed, std::uint64_t peer_seed, std::size_t steps);
    // Makes the queue pair of a flow, and then its connector.
    Connector& attach(std::size_t index, Flow& peer);
    bool done() const;
    void doze();

    std::unique_ptr<Adapter> adapter_;
    std::unique_ptr<CompletionQueue> queue_;
    support::Buffer memory_;
    std::unique_ptr<MemoryRegion> region_;
    std::deque<Flow> flows_;
    std::vector<std::unique_ptr<Connector>> connectors_;
    std::optional<Operation> armed_;
};

}  // namespace opennd::conformance::traffic
