// SPDX-License-Identifier: MIT
//
// INDConnector: the data of a handshake - private data, read limits and addresses. Requirements ND1-CN-DATA-*,
// ND1-CN-RL-*, ND1-CN-ADDR-*.
#include "conformance/nd1/nd1_test.h"
#include "support/tested_device.h"

namespace opennd::conformance::nd1 {
namespace {

class Nd1ConnectionData : public Nd1Test {};

TEST_P(Nd1ConnectionData, PrivateDataCanBeFetchedInParts) {
    proves("ND1-CN-CONN-08", "ND1-CN-DATA-01", "ND1-CN-DATA-02", "ND1-CN-DATA-03", "ND1-CN-DATA-04", "ND1-CN-DATA-06",
           "ND1-CN-ACC-02", "ND1-CN-CONN-06", "ND1-CN-RL-05");
    Pair pair;
    std::vector<std::byte> asked(56);
    fill_pattern(asked, 3);
    pair.requested(asked.data(), asked.size());
    fill_with(asked, std::byte{0});  // copied during the call
    INDConnector& passive = *pair.b.connector.get();
    SIZE_T bytes = 0;
    EXPECT_TRUE(is(passive.GetConnectionData(nullptr, nullptr, nullptr, &bytes), ND_BUFFER_OVERFLOW));
    EXPECT_EQ(bytes, 56u);
    std::array<std::byte, 64> got{};
    bytes = 10;
    SIZE_T in = 0;
    EXPECT_TRUE(is(passive.GetConnectionData(&in, nullptr, got.data(), &bytes), ND_BUFFER_OVERFLOW));
    EXPECT_EQ(bytes, 56u);
    EXPECT_EQ(in, 16u) << "stored all the same";
    EXPECT_TRUE(has_pattern({got.data(), 10}, 3));
    EXPECT_EQ(got[10], std::byte{0});
    for (int i = 0; i < 2; ++i) {
        bytes = got.size();
        EXPECT_TRUE(is(passive.GetConnectionData(nullptr, nullptr, got.data(), &bytes), ND_SUCCESS));
        EXPECT_EQ(bytes, 56u);
        EXPECT_TRUE(has_pattern({got.data(), 56}, 3));
    }
    Request request;
    EXPECT_TRUE(is(passive.Accept(pair.b.endpoint.get(), nullptr, 1, request), ND_ACCESS_VIOLATION));
    EXPECT_TRUE(is(passive.Accept(pair.b.endpoint.get(), got.data(), 149, request), ND_BUFFER_OVERFLOW));
    EXPECT_TRUE(is(passive.Accept(nullptr, nullptr, 0, request), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(passive.Accept(pair.a.endpoint.get(), nullptr, 0, request), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(passive.Accept(pair.b.endpoint.get(), nullptr, 0, nullptr), ND_INVALID_PARAMETER_4));
    ASSERT_TRUE(is(passive.Accept(pair.b.endpoint.get(), nullptr, 0, pair.accepting), ND_PENDING));
    ASSERT_TRUE(is(pair.connecting.wait(), ND_SUCCESS));
    std::array<std::byte, 148> answer;
    answer.fill(std::byte{9});
    bytes = answer.size();
    EXPECT_TRUE(is(pair.a.connector->GetConnectionData(nullptr, nullptr, answer.data(), &bytes), ND_SUCCESS));
    EXPECT_EQ(bytes, support::arriving_private_data(0, answer.size())) << "none";
    EXPECT_TRUE(is_filled_with(std::span(answer).first(bytes), std::byte{0}));
}

TEST_P(Nd1ConnectionData, ReadLimitsAreTheLocalView) {
    if (const char* const why = support::lacks(support::Ability::settles_limits)) GTEST_SKIP() << why;
    proves("ND1-CN-RL-01", "ND1-CN-RL-02", "ND1-CN-RL-03", "ND1-CN-RL-04", "ND1-CN-ACC-07", "ND1-CN-CPL-03",
           "ND1-CN-ACC-01");
    Pair pair({.inbound_reads = 7, .outbound_reads = 3}, {.inbound_reads = 2, .outbound_reads = 16});
    pair.requested();
    SIZE_T in = 0, out = 0;
    EXPECT_TRUE(is(pair.b.connector->GetConnectionData(&in, &out, nullptr, nullptr), ND_SUCCESS));
    EXPECT_EQ(in, 2u) << "what the peer will issue, 3, lowered to its own 2";
    EXPECT_EQ(out, 7u) << "what the peer will take";
    require(pair.b.connector->Accept(pair.b.endpoint.get(), nullptr, 0, pair.accepting), ND_PENDING, "Accept");
    ASSERT_TRUE(is(pair.connecting.wait(), ND_SUCCESS));
    EXPECT_TRUE(is(pair.a.connector->GetConnectionData(&in, &out, nullptr, nullptr), ND_SUCCESS));
    EXPECT_EQ(in, 7u);
    EXPECT_EQ(out, 2u);
}

// The limit of the active side is the smaller of its own and the one that the reply brought.
TEST_P(Nd1ConnectionData, ReadLimitsAreInForceOnceConnected) {
    provokes("CHECK-READ-LIMIT");
    proves("ND1-CN-CPL-03", "ND1-CN-RL-04", "ND1-EP-READ-10");
    const struct {
        SIZE_T own_outbound, peers_inbound;
        HRESULT read;
    } cases[] = {{4, 4, ND_SUCCESS},
                 {1, 4, ND_SUCCESS},
                 {4, 1, ND_SUCCESS},
                 {4, 0, ND_INVALID_REQUEST},
                 {0, 4, ND_INVALID_REQUEST}};
    for (const auto& each : cases)
        for (const bool active : {true, false}) {
            SCOPED_TRACE(testing::Message() << each.own_outbound << ", " << each.peers_inbound << ", " << active);
            const EndpointSizes reader{.inbound_reads = 9, .outbound_reads = each.own_outbound};
            const EndpointSizes peer{.inbound_reads = each.peers_inbound, .outbound_reads = 9};
            Pair pair(active ? reader : peer, active ? peer : reader);
            pair.connected();
            Side& side = active ? pair.a : pair.b;
            ND_RESULT result, sent, received;
            Side& owner = active ? pair.b : pair.a;
            const auto window = memory_window(*owner.adapter.get());
            ND_MW_DESCRIPTOR descriptor{};
            ND_RESULT bound;
            ASSERT_TRUE(is(owner.endpoint->Bind(&bound, owner.mr, window.get(), owner.memory.data(), 4096,
                                                ND_OP_FLAG_ALLOW_READ, &descriptor),
                           ND_SUCCESS));
            ASSERT_TRUE(comes(*owner.outbound.get(), bound, ND_SUCCESS));
            const ND_SGE sge = side.piece(0, 64);
            ASSERT_TRUE(is(side.endpoint->Read(&result, &sge, 1, &descriptor, 0, 0), each.read));
            if (each.read == ND_SUCCESS) {
                EXPECT_TRUE(comes(*side.outbound.get(), result, ND_SUCCESS, 64));
            }
            ASSERT_TRUE(is(owner.receive(received, 8), ND_SUCCESS));
            ASSERT_TRUE(is(side.send(sent, 8), ND_SUCCESS)) << "the connection goes on";
            EXPECT_TRUE(comes(*side.outbound.get(), sent, ND_SUCCESS, 8));
            EXPECT_TRUE(comes(*owner.inbound.get(), received, ND_SUCCESS, 8));
        }
}

TEST_P(Nd1ConnectionData, AddressesHaveASize) {
    proves("ND1-CN-ADDR-01", "ND1-CN-ADDR-02", "ND1-CN-ADDR-03", "ND1-CN-ADDR-04", "ND1-CN-ADDR-05", "ND1-CN-CONN-05");
    Pair pair;
    pair.requested();
    for (const bool local : {true, false}) {
        INDConnector& passive = *pair.b.connector.get();
        const auto ask = [&](sockaddr* address, SIZE_T* size) {
            return local ? passive.GetLocalAddress(address, size) : passive.GetPeerAddress(address, size);
        };
        SocketAddress address{};
        const SIZE_T whole = loopback_address().length();
        SIZE_T size = whole - 1;
        EXPECT_TRUE(is(ask(as_sockaddr(address), &size), ND_BUFFER_OVERFLOW));
        EXPECT_EQ(size, whole);
        EXPECT_EQ(address.ipv4.sin_family, 0);
        EXPECT_TRUE(is(ask(nullptr, &size), ND_BUFFER_OVERFLOW));
        EXPECT_TRUE(is(ask(as_sockaddr(address), nullptr), ND_INVALID_PARAMETER_2));
        size = 100;
        EXPECT_TRUE(is(ask(as_sockaddr(address), &size), ND_SUCCESS));
        EXPECT_EQ(size, whole);
        EXPECT_TRUE(address.same_host(support::loopback_address()));
        EXPECT_EQ(address.ipv4.sin_port == pair.listening.address.ipv4.sin_port, local);
        EXPECT_NE(address.ipv4.sin_port, 0);
    }
}

TEST_P(Nd1ConnectionData, TheLocalPortIsTheOneAskedFor) {
    proves("ND1-CN-CONN-05", "ND1-CN-ADDR-02");
    Pair pair;
    Request waiting, request;
    ASSERT_FALSE(FAILED(pair.listening.object->GetConnectionRequest(pair.b.connector.get(), waiting)));
    ASSERT_TRUE(
        is(pair.a.connector->Connect(pair.a.endpoint.get(), as_sockaddr(pair.listening.address),
                                     pair.listening.address.length(), kProtocol, htons(40'001), nullptr, 0, request),
           ND_PENDING));
    ASSERT_TRUE(is(waiting.wait(), ND_SUCCESS));
    SocketAddress peer{};
    SIZE_T size = sizeof peer;
    ASSERT_TRUE(is(pair.b.connector->GetPeerAddress(as_sockaddr(peer), &size), ND_SUCCESS));
    EXPECT_EQ(ntohs(peer.ipv4.sin_port), 40'001);
    pair.a.connector->CancelOverlappedRequests();
}

INSTANTIATE_TEST_SUITE_P(, Nd1ConnectionData, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1
