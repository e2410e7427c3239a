// SPDX-License-Identifier: MIT
//
// The octets of the negotiation, as in the example of [MS-SMBD] 4.1, and the negotiations that must not succeed (3.1.5.6, 3.1.5.7).
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "peer.h"

namespace smb_direct::test {
namespace {

Limits limits_of_the_example() {
    Limits limits;
    limits.receive_credit_max = limits.send_credit_target = 10;
    limits.max_send_size = limits.max_receive_size = 1024;
    limits.max_fragmented_size = 128 << 10;
    limits.max_read_write_size = 1 << 20;
    return limits;
}

Bytes bytes_of(std::initializer_list<int> octets) {
    Bytes bytes;
    for (const int each : octets) bytes.push_back(static_cast<std::byte>(each));
    return bytes;
}

const Bytes kRequest = bytes_of({0x00, 0x01, 0x00, 0x01, 0, 0, 0x0A, 0, 0, 0x04, 0, 0, 0, 0x04, 0, 0, 0, 0, 0x02, 0});
const Bytes kResponse = bytes_of({0x00, 0x01, 0x00, 0x01, 0x00, 0x01, 0, 0, 0x0A, 0,    0x0A, 0, 0, 0, 0,    0,
                                  0,    0,    0x10, 0,    0,    0x04, 0, 0, 0,    0x04, 0,    0, 0, 0, 0x02, 0});

TEST(Negotiation, HasTheOctetsOfTheSpecification) {
    Session client(Role::initiator, limits_of_the_example()), server(Role::responder, limits_of_the_example());
    const auto request = next_of(client);
    ASSERT_TRUE(request);
    EXPECT_EQ(request->octets, kRequest);
    EXPECT_FALSE(next_of(client)) << "nothing before the answer";
    EXPECT_FALSE(next_of(server)) << "nothing before the request";
    server.take(request->octets);
    const auto response = next_of(server);
    ASSERT_TRUE(response);
    EXPECT_EQ(response->octets, kResponse);
    client.take(response->octets);
    EXPECT_TRUE(client.established() && server.established());
}

TEST(Negotiation, RefusesAnotherVersionByAStatusAndZeros) {
    Session server(Role::responder, {});
    NegotiateRequest request = parse<NegotiateRequest>(kRequest);
    request.min_version = 0x0101, request.max_version = 0x0200;
    server.take(octets_of(request));
    const auto answer = next_of(server);
    ASSERT_TRUE(answer && server.refused());
    NegotiateResponse refusal;
    refusal.status = kNotSupported;
    EXPECT_EQ(answer->octets, octets_of(refusal));
    EXPECT_FALSE(next_of(server));
    EXPECT_THROW(server.take(message_of({}, 1, 0, 255)), ProtocolError);
}

TEST(Negotiation, TakesARangeOfVersionsThatHasOurs) {
    Session server(Role::responder, {});
    NegotiateRequest request = parse<NegotiateRequest>(kRequest);
    request.min_version = 0x0001, request.max_version = 0x0200;
    server.take(octets_of(request));
    ASSERT_TRUE(next_of(server) && server.established());
}

TEST(Negotiation, EndsByARequestThatBreaksARule) {
    using Change = std::function<void(NegotiateRequest&)>;
    for (const Change& change : {Change([](auto& each) { each.credits_requested = 0; }),
                                 Change([](auto& each) { each.max_receive_size = 127; }),
                                 Change([](auto& each) { each.max_fragmented_size = 131071; })}) {
        Session server(Role::responder, {});
        NegotiateRequest request = parse<NegotiateRequest>(kRequest);
        change(request);
        EXPECT_THROW(server.take(octets_of(request)), ProtocolError);
    }
    Session server(Role::responder, {});
    EXPECT_THROW(server.take(Octets(kRequest).first(19)), ProtocolError);
}

TEST(Negotiation, EndsByAResponseThatBreaksARule) {
    using Change = std::function<void(NegotiateResponse&)>;
    for (const Change& change :
         {Change([](auto& each) { each.status = kNotSupported; }),
          Change([](auto& each) { each.negotiated_version = 0x0200; }),
          Change([](auto& each) { each.credits_requested = 0; }), Change([](auto& each) { each.credits_granted = 0; }),
          Change([](auto& each) { each.preferred_send_size = 1025; }),
          Change([](auto& each) { each.max_receive_size = 127; }),
          Change([](auto& each) { each.max_fragmented_size = 131071; })}) {
        Session client(Role::initiator, limits_of_the_example());
        ASSERT_TRUE(next_of(client));
        NegotiateResponse response = parse<NegotiateResponse>(kResponse);
        change(response);
        EXPECT_THROW(client.take(octets_of(response)), ProtocolError);
    }
    Session client(Role::initiator, limits_of_the_example());
    ASSERT_TRUE(next_of(client));
    EXPECT_THROW(client.take(Octets(kResponse).first(31)), ProtocolError);
}

TEST(Negotiation, OffersReceivesOfTheSizeThatThePeerSends) {
    for (const auto& [sends, offered] : {std::pair(1364u, 1364u), std::pair(100u, 128u), std::pair(65536u, 8192u)}) {
        Session server(Role::responder, {});
        NegotiateRequest request = parse<NegotiateRequest>(kRequest);
        request.preferred_send_size = sends;
        server.take(octets_of(request));
        const auto answer = next_of(server);
        ASSERT_TRUE(answer);
        EXPECT_EQ(parse<NegotiateResponse>(answer->octets).max_receive_size, offered);
    }
}

TEST(Negotiation, BoundsWhatMayBeSent) {
    Peer peer({}, {.credits = 255, .receive_bytes = 128});
    EXPECT_THROW(peer.session.send(Bytes((1 << 20) + 1)), std::length_error);
    EXPECT_THROW(peer.session.send({}), std::length_error);
    peer.session.send(numbered(1000));
    peer.grant(20);
    const auto first = peer.hear();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->data_offset, 24u);
    EXPECT_EQ(first->data_length, 104u) << "128 bytes with the header";
    EXPECT_EQ(first->remaining_data_length, 896u);
}

}  // namespace
}  // namespace smb_direct::test
