// SPDX-License-Identifier: MIT
//
// INDConnector: the ways through a handshake and out of it. Requirements ND1-CN-CONN-*, ND1-CN-ACC-*, ND1-CN-REJ-*,
// ND1-CN-CPL-*, ND1-OV-CXL-06 and -07.
#include "conformance/nd1/nd1_test.h"
#include "support/tested_device.h"

namespace opennd::conformance::nd1 {
namespace {

class Nd1Handshakes : public Nd1Test {};

TEST_P(Nd1Handshakes, AFailedConnectLeavesEverythingForAnother) {
    proves("ND1-CN-CONN-09", "ND1-CN-CONN-10", "ND1-CN-CONN-14", "ND1-EP-RECV-09", "ND1-CN-CONN-16", "ND1-CN-CONN-17");
    Pair pair;
    ND_RESULT received, sent;
    ASSERT_TRUE(is(pair.a.receive(received, 64), ND_SUCCESS));
    SocketAddress dead = pair.listening.address;
    {
        const Listening gone(*pair.b.adapter.get());
        dead = gone.address;
    }
    for (int i = 0; i < 3; ++i) {
        Request request;
        const HRESULT outcome = [&] {
            const HRESULT begun = connect(pair.a, dead, request);
            return finish(begun, request);
        }();
        EXPECT_TRUE(is(outcome, ND_CONNECTION_REFUSED));
        SIZE_T bytes = 0;
        EXPECT_TRUE(is(pair.a.connector->GetOverlappedResult(request, &bytes, TRUE), ND_CONNECTION_REFUSED));
        EXPECT_EQ(bytes, 0u);
    }
    pair.connected();
    EXPECT_TRUE(is(pair.a.connector->GetLocalAddress(nullptr, nullptr), ND_INVALID_PARAMETER_2));
    ASSERT_TRUE(is(pair.b.send(sent, 64), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.a.inbound.get(), received, ND_SUCCESS, 64)) << "scenario 3 of 7.5";
}

TEST_P(Nd1Handshakes, ACancelledConnectCanBeMadeAgain) {
    proves("ND1-OV-CXL-01", "ND1-OV-CXL-02", "ND1-OV-CXL-03", "ND1-OV-CXL-06", "ND1-CN-CONN-13", "ND1-CN-CONN-14",
           "ND1-LS-GCR-08", "ND1-CN-CONN-15", "ND1-AD-LSN-12", "ND1-LS-GCR-09");
    Pair pair;
    const Listening unanswered(*pair.b.adapter.get());
    ND_RESULT received;
    ASSERT_TRUE(is(pair.a.receive(received, 64), ND_SUCCESS));
    {
        auto request = std::make_unique<Request>();
        ASSERT_TRUE(is(connect(pair.a, unanswered.address, *request), ND_PENDING));
        EXPECT_TRUE(is(pair.a.connector->CancelOverlappedRequests(), ND_SUCCESS));
        EXPECT_TRUE(is(request->now(), ND_CANCELED)) << "final on return, and the memory may go";
    }
    EXPECT_TRUE(is(pair.a.connector->CancelOverlappedRequests(), ND_SUCCESS)) << "nothing pending";
    pair.connected();
    ND_RESULT sent;
    ASSERT_TRUE(is(pair.b.send(sent, 64), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.a.inbound.get(), received, ND_SUCCESS, 64));
}

TEST_P(Nd1Handshakes, ARequestThatWasGivenUpIsAborted) {
    if (const char* const why = support::lacks(support::Ability::notices_withdrawal)) GTEST_SKIP() << why;
    proves("ND1-LS-GCR-08", "ND1-CN-ACC-04", "ND1-CN-ACC-08", "ND1-CN-REJ-06", "ND1-CN-DATA-07", "ND1-CN-CPL-02");
    for (const bool accepts : {true, false}) {
        Pair pair;
        pair.requested();
        ND_RESULT received;
        ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS));
        EXPECT_TRUE(is(pair.a.connector->CancelOverlappedRequests(), ND_SUCCESS));
        EXPECT_TRUE(support::wait_until([&] {
            return pair.b.connector->GetConnectionData(nullptr, nullptr, nullptr, nullptr) == ND_CONNECTION_ABORTED;
        }));
        SIZE_T bytes = 0;
        EXPECT_TRUE(is(pair.b.connector->GetLocalAddress(nullptr, &bytes), ND_CONNECTION_ABORTED));
        EXPECT_TRUE(is(pair.b.connector->GetPeerAddress(nullptr, &bytes), ND_CONNECTION_ABORTED));
        Request request;
        EXPECT_TRUE(is(accepts ? pair.b.connector->Accept(pair.b.endpoint.get(), nullptr, 0, request)
                               : pair.b.connector->Reject(nullptr, 0),
                       ND_CONNECTION_ABORTED));
        EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_CANCELED)) << "the endpoint is closed";
        EXPECT_TRUE(is(pair.b.connector->Reject(nullptr, 0), ND_CONNECTION_INVALID)) << "harmless";
    }
}

TEST_P(Nd1Handshakes, AReplyThatWasTakenBackIsAborted) {
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    proves("ND1-CN-CPL-02", "ND1-CN-CPL-05", "ND1-CN-CPL-06", "ND1-OV-CXL-07");
    Pair pair;
    pair.replied();
    ND_RESULT received, own;
    ASSERT_TRUE(is(pair.a.receive(received, 64), ND_SUCCESS));
    ASSERT_TRUE(is(pair.b.receive(own, 64), ND_SUCCESS));
    EXPECT_TRUE(is(pair.b.connector->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(pair.accepting.now(), ND_CANCELED));
    EXPECT_TRUE(comes(*pair.b.inbound.get(), own, ND_CANCELED));
    EXPECT_TRUE(support::wait_until([&] {
        return pair.a.connector->GetConnectionData(nullptr, nullptr, nullptr, nullptr) == ND_CONNECTION_ABORTED;
    }));
    Request request;
    EXPECT_TRUE(is(pair.a.connector->CompleteConnect(request), ND_CONNECTION_ABORTED));
    EXPECT_TRUE(comes(*pair.a.inbound.get(), received, ND_CANCELED));
    ND_RESULT sent;
    EXPECT_TRUE(is(pair.a.send(sent, 8), ND_CONNECTION_INVALID));
}

TEST_P(Nd1Handshakes, EitherSideMayReject) {
    proves("ND1-CN-REJ-01", "ND1-CN-REJ-03", "ND1-CN-REJ-04", "ND1-CN-REJ-05", "ND1-CN-DATA-05", "ND1-CN-CONN-10");
    {
        Pair pair;
        pair.requested();
        ND_RESULT flushed;
        ASSERT_TRUE(is(pair.b.receive(flushed, 8), ND_SUCCESS));
        const SIZE_T most = info_of(*pair.b.adapter.get()).MaxCalleeData;
        std::vector<std::byte> words(most + 1, std::byte{7});
        EXPECT_TRUE(is(pair.b.connector->Reject(words.data(), most + 1), ND_BUFFER_OVERFLOW));
        EXPECT_TRUE(is(pair.b.connector->Reject(nullptr, 1), ND_ACCESS_VIOLATION));
        ASSERT_TRUE(is(pair.b.connector->Reject(words.data(), 3), ND_SUCCESS));
        EXPECT_TRUE(comes(*pair.b.inbound.get(), flushed, ND_CANCELED));
        EXPECT_TRUE(is(pair.connecting.wait(), ND_CONNECTION_REFUSED));
        std::array<std::byte, 148> said{};
        SIZE_T bytes = said.size(), in = 9, out = 9;
        EXPECT_TRUE(is(pair.a.connector->GetConnectionData(&in, &out, said.data(), &bytes), ND_SUCCESS));
        EXPECT_EQ(bytes, support::arriving_private_data(3, said.size()));
        EXPECT_EQ(said[2], std::byte{7});
        EXPECT_EQ(said[3], std::byte{0});
        EXPECT_EQ(in, 0u);
        EXPECT_EQ(out, 0u);
    }
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    {
        Pair pair;
        pair.replied();
        ASSERT_TRUE(is(pair.a.connector->Reject(nullptr, 0), ND_SUCCESS));
        EXPECT_TRUE(is(pair.accepting.wait(), ND_CONNECTION_ABORTED));
    }
}

TEST_P(Nd1Handshakes, ReleasedWithoutAnAnswerItRejects) {
    proves("ND1-CN-REJ-07", "ND1-CN-CONN-10", "ND1-CN-CONN-13");
    {
        Pair pair;
        pair.requested();
        pair.b.connector.reset();
        EXPECT_TRUE(is(pair.connecting.wait(), ND_CONNECTION_REFUSED));
    }
    {
        Pair pair;
        pair.replied();
        pair.a.connector.reset();
        if (support::lacks(support::Ability::complete_connect)) {  // it was connected, and loses its peer
            EXPECT_TRUE(is(pair.accepting.wait(), ND_SUCCESS));
            Request ended;
            EXPECT_TRUE(is(finish(pair.b.connector->NotifyDisconnect(ended), ended), ND_SUCCESS));
        } else {
            EXPECT_TRUE(is(pair.accepting.wait(), ND_CONNECTION_ABORTED));
        }
    }
    for (const bool endpoint : {true, false}) {
        Pair pair;
        pair.requested();
        if (endpoint)
            pair.a.endpoint.reset();
        else
            pair.a.connector.reset();
        EXPECT_TRUE(is(pair.connecting.wait(), ND_CANCELED));
    }
}

INSTANTIATE_TEST_SUITE_P(, Nd1Handshakes, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1
