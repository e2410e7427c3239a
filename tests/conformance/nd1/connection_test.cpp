// SPDX-License-Identifier: MIT
//
// INDConnector: its arguments, and the calls that each state allows. Requirements ND1-CN-CREP-*, ND1-CN-CONN-*. The way
// to a connection is in handshake_test.cpp, its data in connection_data_test.cpp, its life in connected_test.cpp.
#include <string>
#include <string_view>

#include "conformance/nd1/nd1_test.h"
#include "support/tested_device.h"

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
    const SIZE_T length = pair.listening.address.length();
    const SIZE_T most = info_of(*pair.a.adapter.get()).MaxCallerData;
    EXPECT_TRUE(is(active.Connect(nullptr, nullptr, 0, -1, 0, nullptr, 9, nullptr), ND_INVALID_PARAMETER_8));
    EXPECT_TRUE(is(active.Connect(nullptr, nullptr, 0, -1, 0, nullptr, 9, request), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(
        is(active.Connect(pair.b.endpoint.get(), to, length, 0, 0, nullptr, 0, request), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(active.Connect(own, nullptr, 16, -1, 0, nullptr, 9, request), ND_INVALID_ADDRESS));
    EXPECT_TRUE(is(active.Connect(own, to, length - 1, -1, 0, nullptr, 9, request), ND_INVALID_ADDRESS));
    SocketAddress other;
    other.ipv4.sin_family = loopback_address().ipv4.sin_family == AF_INET ? AF_INET6 : AF_INET;
    other.ipv4.sin_port = htons(1);
    other.set_host("127.0.0.1", "::1");
    EXPECT_TRUE(
        is(active.Connect(own, as_sockaddr(other), sizeof other, 0, 0, nullptr, 0, request), ND_INVALID_ADDRESS))
        << "another family than the adapter's";
    for (const INT protocol : {-1, 256})
        EXPECT_TRUE(is(active.Connect(own, to, length, protocol, 0, nullptr, 9, request), ND_INVALID_PARAMETER_4));
    std::vector<std::byte> data(most + 1);
    EXPECT_TRUE(is(active.Connect(own, to, length, 0, 0, data.data(), most + 1, request), ND_BUFFER_OVERFLOW));
    EXPECT_TRUE(is(active.Connect(own, to, length, 0, 0, nullptr, 9, request), ND_ACCESS_VIOLATION));
    EXPECT_TRUE(is(active.Disconnect(request), ND_CONNECTION_INVALID));
    EXPECT_TRUE(is(active.NotifyDisconnect(request), ND_CONNECTION_INVALID));
    EXPECT_TRUE(is(active.CompleteConnect(request), ND_CONNECTION_INVALID));
    EXPECT_TRUE(is(active.Disconnect(nullptr), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(active.CompleteConnect(nullptr), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(active.NotifyDisconnect(nullptr), ND_INVALID_PARAMETER_1));
}

// The answers of the three getters: '.' an answer, 'I' invalid, 'B' aborted.
std::string getters(Side& side) {
    SocketAddress address;
    SIZE_T bytes = sizeof address;
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
// GetConnectionRequest: 'I' invalid, 'A' active. Calls that proceed according to `expected` ('.') are not made.
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
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    provokes("CHECK-PRIVATE-DATA", "CHECK-SECOND-REQUEST");
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

INSTANTIATE_TEST_SUITE_P(, Nd1Connections, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1
