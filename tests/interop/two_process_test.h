// SPDX-License-Identifier: MIT
//
// Fixture for tests with a second process, over each transport that reaches one: this side in the conformance
// vocabulary, the other an interop_peer.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/vocabulary/handshake.h"
#include "interop/offer.h"
#include "interop/peer_process.h"

namespace opennd::interop {

using conformance::Operation;
using conformance::Outcome;
using conformance::Remote;
using support::MemoryKind;

// An endpoint with memory laid out as the peer's, a receive (tag 1) for the peer's offer, and a listener for the peer.
struct Side : conformance::Endpoint {
    Side(conformance::Driver& driver, MemoryKind kind);

    // Takes the peer's connection request and accepts it, without waiting for the peer's CompleteConnect.
    Operation begin_accept();
    // The same, and waits until connected; throws if that fails.
    void accept_peer();
    // Connects to a peer that listens; throws if that fails.
    void connect_to(std::uint16_t peer_port);
    // Waits for the peer's offer of its memory.
    Remote take_offer();

    std::unique_ptr<conformance::Listener> listener;
    std::uint16_t port = 0;
};

class TwoProcesses : public testing::TestWithParam<const char*> {
protected:
    TwoProcesses();
    ~TwoProcesses() override;

    // A running interop_peer in this role (peer.cpp), on this test's transport.
    PeerProcess start_peer(const char* role, std::uint16_t port, bool mappable = false) {
        std::vector<std::string> arguments{role, std::to_string(port)};
        if (mappable) arguments.emplace_back("mappable");
        return PeerProcess(OPENND_INTEROP_PEER, arguments, GetParam());
    }

    // A whole conversation with a new peer, every byte verified: proof that the process still works.
    void serve_a_peer(MemoryKind kind = MemoryKind::ordinary);

    std::unique_ptr<conformance::Driver> driver_;
};

inline auto every_transport() { return testing::Values("shm", "iwarp"); }
inline std::string transport_name(const testing::TestParamInfo<const char*>& info) { return info.param; }

}  // namespace opennd::interop
