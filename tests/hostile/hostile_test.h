// SPDX-License-Identifier: MIT
//
// Fixture: this side in the conformance vocabulary over iwarp, the other a RawPeer; and beside them one healthy connection,
// which must never notice.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/nd2/driver.h"
#include "hostile/raw_peer.h"

namespace opennd::hostile {

using conformance::ConnectedPair;
using conformance::Endpoint;
using conformance::Operation;
using conformance::Outcome;
using conformance::reports;
using conformance::reports_exactly;
using conformance::reports_received;
using conformance::RequestKind;
using conformance::Tag;
using support::proves;
using support::wait_until;

// A side of its own with a raw peer, the stream open.
struct OpenStream {
    // `segment_bytes`: the longest TCP segment that the peer takes, 0 for any. `opening_offset`: the TO of the opening.
    explicit OpenStream(conformance::Driver& driver, const conformance::EndpointOptions& options = {},
                        int segment_bytes = 0, const Frame& request = {}, std::uint64_t opening_offset = 0)
        : side(driver, options),
          listener(conformance::listening(*side.adapter)),
          peer(RawPeer::connected_to(ntohs(conformance::address_of(*listener).ipv4.sin_port), segment_bytes)) {
        open(request, opening_offset);
    }

    Endpoint side;
    std::unique_ptr<conformance::Listener> listener;
    RawPeer peer;
    Octets reply;

    std::uint32_t stag() { return ntohl(side.remote().token); }
    std::uint64_t address(std::size_t offset = 0) { return side.remote(offset).address; }

private:
    void open(const Frame& request, std::uint64_t opening_offset) {
        const Operation awaited = listener->get_request(*side.connector);
        peer.say(octets_of(request));
        EXPECT_EQ(awaited.wait(), Outcome::success);
        const Operation accept = side.connector->accept(*side.queue_pair, {}, {});
        reply = peer.hear_frame();
        peer.say(opening(opening_offset));
        EXPECT_EQ(accept.wait(), Outcome::success);
    }
};

class Hostile : public testing::Test {
protected:
    void TearDown() override {
        ASSERT_EQ(healthy_.b.receive(1, 0, 64), Outcome::success);
        ASSERT_EQ(healthy_.a.send(2, 0, 64), Outcome::success);
        EXPECT_TRUE(reports_received(*healthy_.b.received, 1, 64)) << "another connection suffered";
    }

    conformance::Driver& driver() { return *driver_; }
    Endpoint& side() { return side_; }
    std::uint16_t port() {
        if (!listener_) listener_ = conformance::listening(*side_.adapter);
        return ntohs(conformance::address_of(*listener_).ipv4.sin_port);
    }
    Operation awaited_request() { return request_for(*side_.connector); }
    Operation request_for(conformance::Connector& connector) {
        port();
        return listener_->get_request(connector);
    }
    // The peer has asked, and this side has its request.
    RawPeer requested(const Frame& request = {}) {
        const Operation awaited = awaited_request();
        RawPeer peer = RawPeer::connected_to(port());
        peer.say(octets_of(request));
        EXPECT_EQ(awaited.wait(), Outcome::success);
        return peer;
    }
    // The same, and this side has accepted; the peer has the Reply and has said nothing more.
    RawPeer accepted(const Frame& request = {}, conformance::ReadLimits limits = {}) {
        RawPeer peer = requested(request);
        accept_.emplace(side_.connector->accept(*side_.queue_pair, limits, {}));
        reply_ = peer.hear_frame();
        return peer;
    }
    // The same, and the stream is open.
    RawPeer connected(const Frame& request = {}, conformance::ReadLimits limits = {}) {
        RawPeer peer = accepted(request, limits);
        peer.say(opening());
        EXPECT_EQ(accept_->wait(), Outcome::success);
        lost_.emplace(side_.connector->notify_disconnect());
        return peer;
    }
    // The connection ends for the program.
    void expect_lost() { EXPECT_EQ(lost_->wait(), Outcome::success); }
    // A peer that behaves is served over the same listener.
    void expect_service() {
        const Operation awaited = awaited_request();
        RawPeer peer = RawPeer::connected_to(port());
        peer.say(octets_of({}));
        EXPECT_EQ(awaited.wait(), Outcome::success) << "the listener serves nobody any more";
    }

    const Operation& accept() const { return *accept_; }
    const Octets& reply() const { return reply_; }
    // The memory of this side as the wire names it.
    std::uint32_t stag() { return ntohl(side_.remote().token); }
    std::uint64_t address(std::size_t offset = 0) { return side_.remote(offset).address; }

private:
    conformance::PinnedTransport transport_{"iwarp"};
    std::unique_ptr<conformance::Driver> driver_ = conformance::nd2::open_driver();
    ConnectedPair healthy_{*driver_};
    Endpoint side_{*driver_, {}};
    std::unique_ptr<conformance::Listener> listener_;
    std::optional<Operation> accept_, lost_;
    Octets reply_;
};

}  // namespace opennd::hostile
