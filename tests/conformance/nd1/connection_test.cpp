// SPDX-License-Identifier: MIT
//
// INDConnector: what may be called when, the handshake, its data and limits. Requirements ND1-CN-*, ND1-OV-CXL-06 and -07.
// How connections live and end is in connected_test.cpp.
#include <string>
#include <string_view>

#include "conformance/nd1/nd1_test.h"

namespace opennd::conformance::nd1 {
namespace {

class Nd1Connections : public Nd1Test {};

TEST_P(Nd1Connections, EndpointsAreMadeOncePerConnectorAndWithinTheLimits) {
    proves("ND1-CN-CREP-01", "ND1-CN-CREP-02", "ND1-CN-CREP-03", "ND1-CN-CREP-04", "ND1-CN-CREP-05", "ND1-CN-CREP-06",
           "ND1-CN-CREP-09", "ND1-GEN-07", "ND1-GEN-08");
    const auto adapter = open_adapter(), stranger = open_adapter();
    const auto queue = completion_queue(*adapter.get()), foreign = completion_queue(*stranger.get());
    const auto used = connector(*adapter.get());
    const ND_ADAPTER_INFO info = info_of(*adapter.get());
    ComPtr<INDEndpoint> endpoint;
    const auto create = [&](INDCompletionQueue* in, INDCompletionQueue* out, std::array<SIZE_T, 6> sizes) {
        return used->CreateEndpoint(in, out, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], nullptr,
                                    endpoint.put());
    };
    const std::array<SIZE_T, 6> fine{1, 1, 1, 1, 1, 1};
    EXPECT_TRUE(is(create(nullptr, queue.get(), fine), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(create(foreign.get(), queue.get(), fine), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(create(queue.get(), nullptr, fine), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(create(queue.get(), foreign.get(), fine), ND_INVALID_PARAMETER_2));
    const std::array<SIZE_T, 6> most{info.MaxInboundRequests, info.MaxOutboundRequests, info.MaxInboundSge,
                                     info.MaxOutboundSge,     info.MaxInboundReadLimit, info.MaxOutboundReadLimit};
    const HRESULT statuses[] = {ND_INVALID_PARAMETER_3, ND_INVALID_PARAMETER_4, ND_INVALID_PARAMETER_5,
                                ND_INVALID_PARAMETER_6, ND_INVALID_PARAMETER_7, ND_INVALID_PARAMETER_8};
    for (std::size_t i = 0; i < most.size(); ++i)
        for (const SIZE_T beyond : {most[i] + 1, (SIZE_T{1} << 32) + 1}) {
            std::array<SIZE_T, 6> sizes = fine;
            sizes[i] = beyond;
            EXPECT_TRUE(is(create(queue.get(), queue.get(), sizes), statuses[i])) << i;
            EXPECT_EQ(endpoint.get(), nullptr);
        }
    EXPECT_TRUE(is(used->CreateEndpoint(queue.get(), queue.get(), 1, 1, 1, 1, 1, 1, nullptr, nullptr),
                   ND_INVALID_PARAMETER_10));
    ASSERT_TRUE(is(create(queue.get(), queue.get(), {0, 0, 0, 0, 0, 0}), ND_SUCCESS));
    ComPtr<INDEndpoint> second;
    SIZE_T limit = 0;
    EXPECT_TRUE(
        is(used->CreateEndpoint(queue.get(), queue.get(), 1, 1, 1, 1, 1, 1, &limit, second.put()), ND_NOT_SUPPORTED));
}

TEST_P(Nd1Connections, ConnectChecksItsArgumentsInOrder) {
    proves("ND1-CN-CONN-01", "ND1-CN-CONN-02", "ND1-CN-CONN-03", "ND1-CN-CONN-04", "ND1-CN-CONN-06", "ND1-CN-CONN-07",
           "ND1-OV-11", "ND1-CN-DISC-05", "ND1-CN-NDISC-02");
    Pair pair;
    Request request;
    INDConnector& active = *pair.a.connector.get();
    INDEndpoint* const own = pair.a.endpoint.get();
    const sockaddr* const to = as_sockaddr(pair.listening.address);
    const SIZE_T most = info_of(*pair.a.adapter.get()).MaxCallerData;
    EXPECT_TRUE(is(active.Connect(nullptr, nullptr, 0, -1, 0, nullptr, 9, nullptr), ND_INVALID_PARAMETER_8));
    EXPECT_TRUE(is(active.Connect(nullptr, nullptr, 0, -1, 0, nullptr, 9, request), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(active.Connect(pair.b.endpoint.get(), to, 16, 0, 0, nullptr, 0, request), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(active.Connect(own, nullptr, 16, -1, 0, nullptr, 9, request), ND_INVALID_ADDRESS));
    EXPECT_TRUE(is(active.Connect(own, to, 15, -1, 0, nullptr, 9, request), ND_INVALID_ADDRESS));
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(1);
    six.sin6_addr = in6addr_loopback;
    EXPECT_TRUE(is(active.Connect(own, reinterpret_cast<const sockaddr*>(&six), sizeof six, 0, 0, nullptr, 0, request),
                   ND_INVALID_ADDRESS))
        << "another family than the adapter's";
    for (const INT protocol : {-1, 256})
        EXPECT_TRUE(is(active.Connect(own, to, 16, protocol, 0, nullptr, 9, request), ND_INVALID_PARAMETER_4));
    std::vector<std::byte> data(most + 1);
    EXPECT_TRUE(is(active.Connect(own, to, 16, 0, 0, data.data(), most + 1, request), ND_BUFFER_OVERFLOW));
    EXPECT_TRUE(is(active.Connect(own, to, 16, 0, 0, nullptr, 9, request), ND_ACCESS_VIOLATION));
    EXPECT_TRUE(is(active.Disconnect(request), ND_CONNECTION_INVALID));
    EXPECT_TRUE(is(active.NotifyDisconnect(request), ND_CONNECTION_INVALID));
    EXPECT_TRUE(is(active.CompleteConnect(request), ND_CONNECTION_INVALID));
    EXPECT_TRUE(is(active.Disconnect(nullptr), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(active.CompleteConnect(nullptr), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(active.NotifyDisconnect(nullptr), ND_INVALID_PARAMETER_1));
}

// What the three getters give: '.' an answer, 'I' invalid, 'B' aborted.
std::string getters(Side& side) {
    SIZE_T bytes = sizeof(sockaddr_in);
    sockaddr_in address;
    std::string found;
    const auto note = [&](HRESULT status) {
        found += status == ND_CONNECTION_INVALID   ? 'I'
                 : status == ND_CONNECTION_ABORTED ? 'B'
                 : FAILED(status)                  ? '?'
                                                   : '.';
    };
    note(side.connector->GetConnectionData(nullptr, nullptr, nullptr, nullptr));
    note(side.connector->GetLocalAddress(as_sockaddr(address), &bytes));
    note(side.connector->GetPeerAddress(as_sockaddr(address), &bytes));
    return found;
}

// The calls that a state refuses, in the order Connect, CompleteConnect, Accept, Reject, NotifyDisconnect, Disconnect,
// GetConnectionRequest: 'I' invalid, 'A' active. Those that `expected` says proceed ('.') are not made.
std::string refusals(Side& side, const Listening& listening, std::string_view expected) {
    Request request;
    INDConnector& one = *side.connector.get();
    const auto call = [&](std::size_t which) {
        switch (which) {
            case 0: return connect(side, listening.address, request);
            case 1: return one.CompleteConnect(request);
            case 2: return one.Accept(side.endpoint.get(), nullptr, 0, request);
            case 3: return one.Reject(nullptr, 0);
            case 4: return one.NotifyDisconnect(request);
            case 5: return one.Disconnect(request);
            default: return listening.object->GetConnectionRequest(&one, request);
        }
    };
    std::string found;
    for (std::size_t which = 0; which < expected.size(); ++which) {
        const HRESULT status = expected[which] == '.' ? ND_SUCCESS : call(which);
        found += status == ND_CONNECTION_INVALID  ? 'I'
                 : status == ND_CONNECTION_ACTIVE ? 'A'
                 : FAILED(status)                 ? '?'
                                                  : '.';
    }
    return found;
}

TEST_P(Nd1Connections, CallsDependOnTheState) {
    proves("ND1-CN-DATA-07", "ND1-CN-CPL-02", "ND1-CN-ACC-06", "ND1-CN-REJ-01", "ND1-CN-REJ-02", "ND1-LS-GCR-02",
           "ND1-CN-ADDR-03", "ND1-CN-DISC-08");
    Pair pair;
    const Listening elsewhere(*pair.a.adapter.get());  // the active side's own, for its connector
    const auto expect = [&](Side& side, std::string_view answers, std::string_view refused) {
        EXPECT_EQ(getters(side), answers);
        EXPECT_EQ(refusals(side, &side == &pair.a ? elsewhere : pair.listening, refused), refused);
    };
    expect(pair.a, "III", ".IIIII.");  // I
    pair.requested();
    expect(pair.a, "I.I", "AIIIIIA");  // C
    expect(pair.b, "...", "AI..IIA");  // Q
    require(pair.b.connector->Accept(pair.b.endpoint.get(), nullptr, 0, pair.accepting), ND_PENDING, "Accept");
    ASSERT_TRUE(is(pair.connecting.wait(), ND_SUCCESS));
    expect(pair.a, "...", "A.I.IIA");  // R
    expect(pair.b, "...", "AIAIIIA");  // A
    Request completing;
    ASSERT_TRUE(is(finish(pair.a.connector->CompleteConnect(completing), completing), ND_SUCCESS));
    ASSERT_TRUE(is(pair.accepting.wait(), ND_SUCCESS));
    expect(pair.b, "...", "AIAI..A");  // E
    Request ended, ending, late;
    ASSERT_TRUE(is(pair.b.connector->NotifyDisconnect(ended), ND_PENDING));
    ASSERT_TRUE(is(finish(pair.a.connector->Disconnect(ending), ending), ND_SUCCESS));
    ASSERT_TRUE(is(ended.wait(), ND_SUCCESS));
    expect(pair.b, "...", "AIAI..A");  // P
    expect(pair.a, "III", "IIII.II");  // X
    EXPECT_TRUE(is(finish(pair.a.connector->NotifyDisconnect(late), late), ND_SUCCESS)) << "it was connected once";
}

TEST_P(Nd1Connections, AFailedConnectLeavesEverythingForAnother) {
    proves("ND1-CN-CONN-09", "ND1-CN-CONN-10", "ND1-CN-CONN-14", "ND1-EP-RECV-09", "ND1-CN-CONN-16", "ND1-CN-CONN-17");
    Pair pair;
    ND_RESULT received, sent;
    ASSERT_TRUE(is(pair.a.receive(received, 64), ND_SUCCESS));
    sockaddr_in dead = pair.listening.address;
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

TEST_P(Nd1Connections, ACancelledConnectCanBeMadeAgain) {
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

TEST_P(Nd1Connections, ARequestThatWasGivenUpIsAborted) {
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

TEST_P(Nd1Connections, AReplyThatWasTakenBackIsAborted) {
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

TEST_P(Nd1Connections, EitherSideMayReject) {
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
        std::array<std::byte, 8> said{};
        SIZE_T bytes = said.size(), in = 9, out = 9;
        EXPECT_TRUE(is(pair.a.connector->GetConnectionData(&in, &out, said.data(), &bytes), ND_SUCCESS));
        EXPECT_EQ(bytes, 3u);
        EXPECT_EQ(said[2], std::byte{7});
        EXPECT_EQ(in, 0u);
        EXPECT_EQ(out, 0u);
    }
    {
        Pair pair;
        pair.replied();
        ASSERT_TRUE(is(pair.a.connector->Reject(nullptr, 0), ND_SUCCESS));
        EXPECT_TRUE(is(pair.accepting.wait(), ND_CONNECTION_ABORTED));
    }
}

TEST_P(Nd1Connections, ReleasedWithoutAnAnswerItRejects) {
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
        EXPECT_TRUE(is(pair.accepting.wait(), ND_CONNECTION_ABORTED));
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

TEST_P(Nd1Connections, PrivateDataCanBeFetchedInParts) {
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
    bytes = 5;
    EXPECT_TRUE(is(pair.a.connector->GetConnectionData(nullptr, nullptr, got.data(), &bytes), ND_SUCCESS));
    EXPECT_EQ(bytes, 0u) << "none";
}

TEST_P(Nd1Connections, ReadLimitsAreTheLocalView) {
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

TEST_P(Nd1Connections, AddressesHaveASize) {
    proves("ND1-CN-ADDR-01", "ND1-CN-ADDR-02", "ND1-CN-ADDR-03", "ND1-CN-ADDR-04", "ND1-CN-ADDR-05", "ND1-CN-CONN-05");
    Pair pair;
    pair.requested();
    for (const bool local : {true, false}) {
        INDConnector& passive = *pair.b.connector.get();
        const auto ask = [&](sockaddr* address, SIZE_T* size) {
            return local ? passive.GetLocalAddress(address, size) : passive.GetPeerAddress(address, size);
        };
        sockaddr_in address{};
        SIZE_T size = 15;
        EXPECT_TRUE(is(ask(as_sockaddr(address), &size), ND_BUFFER_OVERFLOW));
        EXPECT_EQ(size, 16u);
        EXPECT_EQ(address.sin_family, 0);
        EXPECT_TRUE(is(ask(nullptr, &size), ND_BUFFER_OVERFLOW));
        EXPECT_TRUE(is(ask(as_sockaddr(address), nullptr), ND_INVALID_PARAMETER_2));
        size = 100;
        EXPECT_TRUE(is(ask(as_sockaddr(address), &size), ND_SUCCESS));
        EXPECT_EQ(size, 16u);
        EXPECT_EQ(address.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
        EXPECT_EQ(address.sin_port == pair.listening.address.sin_port, local);
        EXPECT_NE(address.sin_port, 0);
    }
}

TEST_P(Nd1Connections, TheLocalPortIsTheOneAskedFor) {
    proves("ND1-CN-CONN-05", "ND1-CN-ADDR-02");
    Pair pair;
    Request waiting, request;
    ASSERT_FALSE(FAILED(pair.listening.object->GetConnectionRequest(pair.b.connector.get(), waiting)));
    ASSERT_TRUE(is(pair.a.connector->Connect(pair.a.endpoint.get(), as_sockaddr(pair.listening.address), 16, kProtocol,
                                             htons(40'001), nullptr, 0, request),
                   ND_PENDING));
    ASSERT_TRUE(is(waiting.wait(), ND_SUCCESS));
    sockaddr_in peer{};
    SIZE_T size = sizeof peer;
    ASSERT_TRUE(is(pair.b.connector->GetPeerAddress(as_sockaddr(peer), &size), ND_SUCCESS));
    EXPECT_EQ(ntohs(peer.sin_port), 40'001);
    pair.a.connector->CancelOverlappedRequests();
}

INSTANTIATE_TEST_SUITE_P(, Nd1Connections, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1
