// SPDX-License-Identifier: MIT
//
// Two processes, both alive: data, directions, memory kinds. Death is in peer_death_test.cpp.
#include "interop/two_process_test.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <opennd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "conformance/vocabulary/nd2/driver.h"
#include "support/pattern.h"
#include "support/requirement.h"
#include "support/status.h"

namespace opennd::interop {

using conformance::reports;
using conformance::reports_received;
using conformance::RequestKind;
using support::has_pattern;
using support::proves;

namespace {

void need(Outcome actual, Outcome expected, const char* step) {
    if (actual != expected) throw support::PreparationFailed(std::string(step) + " ended with: " + name_of(actual));
}

}  // namespace

Side::Side(conformance::Driver& driver, MemoryKind kind)
    : Endpoint(driver, conformance::EndpointOptions{.memory_bytes = kMemoryBytes, .memory = kind}),
      listener(conformance::listening(*adapter)),
      port(ntohs(conformance::address_of(*listener).ipv4.sin_port)) {
    need(receive(1, kOfferOffset, sizeof(Offer)), Outcome::success, "posting a receive for the offer");
}

Operation Side::begin_accept() {
    need(listener->get_request(*connector).wait(), Outcome::success, "waiting for the peer's connection request");
    return connector->accept(*queue_pair, {}, {});
}

void Side::accept_peer() { need(begin_accept().wait(), Outcome::success, "Accept"); }

void Side::connect_to(std::uint16_t peer_port) {
    need(connector->bind(conformance::local_address()), Outcome::success, "Bind");
    need(connector->connect(*queue_pair, conformance::local_address(peer_port), {}, {}).wait(), Outcome::success,
         "Connect");
    need(connector->complete_connect().wait(), Outcome::success, "CompleteConnect");
}

Remote Side::take_offer() {
    EXPECT_TRUE(reports_received(*received, 1, sizeof(Offer)));
    Offer offer{};
    std::memcpy(&offer, memory.data() + kOfferOffset, sizeof offer);
    return {offer.address, offer.token};
}

TwoProcesses::TwoProcesses() {
    support::require(opennd_transport_select(GetParam()), ND_SUCCESS, "opennd_transport_select");
    driver_ = conformance::nd2::open_driver();
}

TwoProcesses::~TwoProcesses() { opennd_transport_select(nullptr); }

void TwoProcesses::serve_a_peer(MemoryKind kind) {
    Side side(*driver_, kind);
    PeerProcess peer = start_peer("exchange", side.port, kind == MemoryKind::mappable);
    side.accept_peer();
    ASSERT_EQ(peer.line(), "connected");
    const Remote remote = side.take_offer();

    ASSERT_EQ(side.read(2, 0, kSharedBytes, remote), Outcome::success);
    ASSERT_TRUE(reports(*side.initiated, RequestKind::read, 2, Outcome::success));
    ASSERT_TRUE(has_pattern(side.bytes(0, kSharedBytes), kPeerSeed));

    support::fill_pattern(side.bytes(0, kSharedBytes), kTestSeed);
    ASSERT_EQ(side.write(3, 0, kSharedBytes, remote), Outcome::success);
    ASSERT_TRUE(reports(*side.initiated, RequestKind::write, 3, Outcome::success));

    support::fill_pattern(side.bytes(kMessageOffset, kMessageBytes), 9);
    ASSERT_EQ(side.receive(4, 0, kMessageBytes), Outcome::success);
    ASSERT_EQ(side.send(5, kMessageOffset, kMessageBytes), Outcome::success);
    ASSERT_TRUE(reports(*side.initiated, RequestKind::send, 5, Outcome::success));
    ASSERT_TRUE(reports_received(*side.received, 4, kMessageBytes));
    ASSERT_TRUE(has_pattern(side.bytes(0, kMessageBytes), 9));

    ASSERT_EQ(side.connector->disconnect().wait(), Outcome::success);
    EXPECT_EQ(peer.exit_code(), 0) << "the peer verified what it got";
}

namespace {

TEST_P(TwoProcesses, ExchangeVerifiedDataThroughOrdinaryMemory) {
    proves("ND2-QP-SEND-01", "ND2-QP-RDMA-01", "ND2-MR-TOK-02", "ND2-CQ-NTF-09", "ND2-CON-DISC-03");
    serve_a_peer(MemoryKind::ordinary);
}

TEST_P(TwoProcesses, ExchangeVerifiedDataThroughMappableMemory) {
    proves("ND2-QP-SEND-01", "ND2-QP-RDMA-01", "ND2-MR-TOK-02");
    serve_a_peer(MemoryKind::mappable);
}

TEST_P(TwoProcesses, ConnectAgainAndAgain) {
    proves("ND2-CON-DISC-07");
    for (int round = 0; round < 10; ++round) {
        SCOPED_TRACE(round);
        ASSERT_NO_FATAL_FAILURE(serve_a_peer(round % 2 ? MemoryKind::mappable : MemoryKind::ordinary));
    }
}

TEST_P(TwoProcesses, KeepDescriptorsFromProgramsTheyStart) {
    proves("ND2-GEN-11");
    Side side(*driver_, MemoryKind::mappable);
    PeerProcess peer = start_peer("target", side.port, true);
    side.accept_peer();
    side.take_offer();
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const int descriptor = std::stoi(entry.path().filename());
        std::error_code
            gone;  // the descriptor of this listing is closed by the time it is looked at, or is close-on-exec
        const std::string what = std::filesystem::read_symlink(entry.path(), gone);
        const bool is_the_librarys = what.find("memfd:") != std::string::npos || what.rfind("anon_inode:", 0) == 0;
        if (gone || !is_the_librarys) continue;
        EXPECT_TRUE(fcntl(descriptor, F_GETFD) & FD_CLOEXEC) << what << " survives exec";
    }
}

INSTANTIATE_TEST_SUITE_P(, TwoProcesses, every_transport(), transport_name);

}  // namespace
}  // namespace opennd::interop
