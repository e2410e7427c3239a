// SPDX-License-Identifier: MIT
//
// Host: one process's side of a soak: an adapter, one completion queue, memory, and any number of links (a queue pair
// with its connector) to the other process. Exchange: verified traffic over one link. Both processes run the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "conformance/vocabulary/handshake.h"

namespace opennd::soak {

using conformance::Completion;
using conformance::Outcome;
using conformance::Tag;

// Throws support::PreparationFailed unless the step ended as it must.
void need(Outcome actual, Outcome expected, const char* step);

struct Link {
    std::unique_ptr<conformance::QueuePair> queue_pair;
    std::unique_ptr<conformance::Connector> connector;
    conformance::Remote open = {};  // the peer's slot that this side writes and reads
};

class Host {
public:
    static constexpr std::size_t kSlotBytes = 64 * 1024;

    // Memory for `exchanges` exchanges at a time.
    Host(conformance::Driver& driver, std::size_t exchanges, support::MemoryKind kind);

    // `tag` comes back with every completion of the link.
    Link connect(std::uint16_t port, Tag tag);
    Link accept(Tag tag);
    std::uint16_t port() const { return port_; }

    // The places in the memory of exchange `index`.
    enum class Slot : std::size_t { sent, received, read, open };  // open: to the peer
    static constexpr std::size_t kSlots = 4;
    std::span<std::byte> slot(std::size_t index, Slot which);
    conformance::Sge sge(std::size_t index, Slot which, std::size_t bytes);

    conformance::CompletionQueue& queue() { return *queue_; }

private:
    Link open_link(Tag tag);
    conformance::PrivateData described(Tag tag);
    void learn_peer(Link& link);

    const std::size_t exchanges_;
    std::unique_ptr<conformance::Adapter> adapter_;
    std::unique_ptr<conformance::CompletionQueue> queue_;
    support::Buffer memory_;
    std::unique_ptr<conformance::MemoryRegion> region_;
    std::unique_ptr<conformance::Listener> listener_;
    std::uint16_t port_ = 0;
};

// A number of messages each way over one link, of sizes that both sides compute, each verified byte by byte. Before
// every fourth the same bytes are written into the peer's open slot, where the peer finds them when the message comes;
// and two messages later they are read back.
class Exchange {
public:
    // Posts the first receive. `index` is the link's tag and its slots.
    Exchange(Host& host, Link& link, std::size_t index, std::uint64_t messages);

    // Sends the next message when the last one is through and answered.
    void start();
    // A completion of this link; throws if it failed or its data are wrong.
    void take(const Completion& completion);
    bool done() const { return sent_ == messages_ && received_ == messages_ && one_sided_ == 0; }

private:
    std::size_t size_of(std::uint64_t message) const;
    std::uint64_t seed_of(std::uint64_t message) const { return message * 1009 + index_; }
    void post_receive();
    void post_one_sided();
    void verify(std::span<const std::byte> bytes, std::uint64_t message, const char* what) const;

    Host& host_;
    Link& link_;
    const std::size_t index_;
    const std::uint64_t messages_;
    std::uint64_t posted_ = 0, sent_ = 0, received_ = 0;
    int one_sided_ = 0;  // Writes and Reads outstanding
};

// Runs exchanges 0 .. links.size() - 1 to their ends. Throws if nothing happens for long.
void exchange_all(Host& host, std::span<Link> links, std::uint64_t messages);

}  // namespace opennd::soak
