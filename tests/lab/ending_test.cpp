// SPDX-License-Identifier: MIT
//
// How connections between OpenND and the kernel's soft iWARP begin and end: private data, rejections, invalidated keys,
// Terminates either way, deaths. Requirements IW-IOP-06 to -08, -10.
#include "lab/lab_test.h"

namespace opennd::lab {
namespace {

class Ending : public Lab {
protected:
    // siw puts this into the kernel's log, nibbles turned round (IW-IOP-07).
    static std::size_t terminates_heard_by_siw() {
        const std::string log = in_guest("dmesg");
        std::size_t count = 0;
        for (auto at = log.find("got TERMINATE"); at != std::string::npos; at = log.find("got TERMINATE", at + 1))
            ++count;
        return count;
    }
    static void expect_lost(Meeting& meeting) { EXPECT_EQ(meeting.lost().wait(kPatience), Outcome::success); }
};
INSTANTIATE_TEST_SUITE_P(, Ending, either_way(), opener_name);

TEST_P(Ending, InOrderByThePeer) {
    proves("IW-IOP-10");
    Meeting meeting(driver(), GetParam());
    ASSERT_EQ(meeting.side().receive(1, Meeting::kHere, 64), Outcome::success);
    meeting.order({.verb = Verb::leave});
    expect_lost(meeting);
    EXPECT_TRUE(reports(*meeting.side().received, RequestKind::receive, 1, Outcome::canceled));
    EXPECT_EQ(meeting.peer().exit_code(), 0);
}

TEST_P(Ending, InOrderByThisSide) {
    Meeting meeting(driver(), GetParam());
    EXPECT_EQ(meeting.side().connector->disconnect().wait(kPatience), Outcome::success);
    EXPECT_EQ(meeting.peer().exit_code(), 0) << "its receive was flushed";
}

TEST_P(Ending, ByThePeersDeath) {
    Meeting meeting(driver(), GetParam());
    ASSERT_EQ(meeting.side().receive(1, Meeting::kHere, 64), Outcome::success);
    meeting.order({.verb = Verb::die});
    expect_lost(meeting);
    EXPECT_TRUE(reports(*meeting.side().received, RequestKind::receive, 1, Outcome::canceled));
}

// siw refuses; its Terminate says why (IW-ERR-11: in either order of nibbles).
TEST_P(Ending, OfAReadThroughAKeyThatNobodyHas) {
    proves("IW-IOP-06");
    Meeting meeting(driver(), GetParam());
    const Remote wrong{meeting.there().address, meeting.there().token ^ 0x0F0F0F0F};
    ASSERT_EQ(meeting.side().read(1, Meeting::kHere, 64, wrong), Outcome::success);
    EXPECT_TRUE(reports(*meeting.side().initiated, RequestKind::read, 1, Outcome::access_violation));
    expect_lost(meeting);
}

// The Write is complete when TCP has it, the Read behind it with the connection.
TEST_P(Ending, OfAWriteThroughAKeyThatNobodyHas) {
    Meeting meeting(driver(), GetParam());
    const Remote wrong{meeting.there().address, meeting.there().token ^ 0x0F0F0F0F};
    ASSERT_EQ(meeting.side().write(1, Meeting::kHere, 64, wrong), Outcome::success);
    ASSERT_EQ(meeting.side().read(2, Meeting::kHere, 64, meeting.there()), Outcome::success);
    EXPECT_TRUE(reports(*meeting.side().initiated, RequestKind::write, 1, Outcome::success));
    EXPECT_TRUE(reports(*meeting.side().initiated, RequestKind::read, 2, Outcome::canceled));
    expect_lost(meeting);
}

TEST_P(Ending, OfAReadBeyondThePeersMemory) {
    Meeting meeting(driver(), GetParam());
    ASSERT_EQ(meeting.side().read(1, Meeting::kHere, 64, meeting.there(kMemory - 63)), Outcome::success);
    EXPECT_TRUE(reports(*meeting.side().initiated, RequestKind::read, 1, Outcome::access_violation));
    expect_lost(meeting);
}

TEST_P(Ending, OfASendTooLongForThePeer) {
    proves("IW-IOP-08");
    Meeting meeting(driver(), GetParam());
    ASSERT_EQ(meeting.tell({.verb = Verb::receive, .length = 10}), 0u);
    ASSERT_EQ(meeting.side().send(1, Meeting::kHere, 11), Outcome::success);
    EXPECT_TRUE(reports(*meeting.side().initiated, RequestKind::send, 1, Outcome::success)) << "TCP has it";
    expect_lost(meeting);
}

// And the other way: this side refuses, and siw has the Terminate.
TEST_P(Ending, OfAWriteOfThePeerThroughAKeyThatNobodyHas) {
    proves("IW-IOP-07");
    Meeting meeting(driver(), GetParam());
    const std::size_t before = terminates_heard_by_siw();
    support::fill_with(meeting.here(64), std::byte{0xEE});
    Command command = meeting.aimed({.verb = Verb::write_and_wait, .length = 64});
    command.token ^= 0x0F0F0F0F;
    meeting.order(command);
    expect_lost(meeting);
    EXPECT_TRUE(support::is_filled_with(meeting.here(64), std::byte{0xEE}));
    EXPECT_EQ(meeting.peer().exit_code(), 0);
    EXPECT_EQ(terminates_heard_by_siw(), before + 1);
}

TEST_P(Ending, OfAReadOfThePeerBeyondThisMemory) {
    Meeting meeting(driver(), GetParam());
    const std::size_t before = terminates_heard_by_siw();
    Command command = meeting.aimed({.verb = Verb::read_and_wait, .length = 64});
    command.address = meeting.side().remote(meeting.side().memory.size() - 63).address;
    meeting.order(command);
    expect_lost(meeting);
    EXPECT_EQ(meeting.peer().exit_code(), 0);
    EXPECT_EQ(terminates_heard_by_siw(), before + 1);
}

TEST_P(Ending, OfASendOfThePeerThatIsTooLong) {
    Meeting meeting(driver(), GetParam());
    const std::size_t before = terminates_heard_by_siw();
    ASSERT_EQ(meeting.side().receive(1, Meeting::kHere, 10), Outcome::success);
    meeting.order({.verb = Verb::send_and_wait, .length = 11});
    EXPECT_TRUE(reports(*meeting.side().received, RequestKind::receive, 1, Outcome::data_overrun));
    EXPECT_EQ(meeting.lost().wait(kPatience), Outcome::success);
    EXPECT_EQ(meeting.peer().exit_code(), 0);
    EXPECT_EQ(terminates_heard_by_siw(), before + 1);
}

// A window is the peer's until a message of the peer says otherwise.
TEST_P(Ending, OfAKeyByThePeersMessage) {
    Meeting meeting(driver(), GetParam());
    Endpoint& side = meeting.side();
    const auto window = side.adapter->create_memory_window();
    ASSERT_EQ(side.queue_pair->bind(1, *side.region, *window, side.memory.data() + Meeting::kHere, 64,
                                    conformance::kAllowWrite),
              Outcome::success);
    ASSERT_TRUE(reports(*side.initiated, RequestKind::bind, 1, Outcome::success));
    Command command = meeting.aimed({.verb = Verb::fill, .length = 64, .seed = 4});
    command.token = window->remote_token();
    ASSERT_EQ(meeting.tell(command), 0u);
    command.verb = Verb::write;
    ASSERT_EQ(meeting.tell(command), 0u);
    EXPECT_TRUE(has_pattern(meeting.here(64), 4));

    ASSERT_EQ(side.receive(2, 1024, 64), Outcome::success);
    command.verb = Verb::send_invalidate;
    meeting.order(command);
    EXPECT_TRUE(reports_received(*side.received, 2, 64));
    EXPECT_EQ(meeting.answer(), 0u);
    EXPECT_EQ(window->remote_token(), 0u) << "unbound (ND2-MW-08)";

    support::fill_with(meeting.here(64), std::byte{0xEE});
    command.verb = Verb::write_and_wait;
    meeting.order(command);
    expect_lost(meeting);
    EXPECT_TRUE(support::is_filled_with(meeting.here(64), std::byte{0xEE}));
}

class Beginning : public Lab {};

// The peer is heard once before the connection ends: one that ends at once is too quick for the kernel (6.1's iw_cm stops
// the guest by a BUG).
TEST_F(Beginning, PrivateDataReachSiwAndComeBack) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{56}}) {
        SCOPED_TRACE(bytes);
        Endpoint side(driver(), {});
        GuestPeer peer = GuestPeer::listening(kGuestPort);
        ASSERT_EQ(side.connector->bind(conformance::local_address()), Outcome::success);
        ASSERT_EQ(side.connector->connect(*side.queue_pair, guest(kGuestPort), {}, data_of(bytes)).wait(kPatience),
                  Outcome::success);
        PrivateData answer;
        ASSERT_EQ(side.connector->private_data(answer), Outcome::success);
        EXPECT_EQ(answer, data_of(bytes));
        ASSERT_EQ(side.receive(1, 0, 64), Outcome::success);
        ASSERT_EQ(side.connector->complete_connect().wait(kPatience), Outcome::success);
        ASSERT_EQ(side.send(2, 64, sizeof(Command)), Outcome::success) << "zeros: Verb::hello";
        EXPECT_TRUE(reports_received(*side.received, 1, sizeof(Answer)));
        EXPECT_EQ(side.connector->disconnect().wait(kPatience), Outcome::success);
    }
}

TEST_F(Beginning, ARejectionOfSiwHasItsPrivateData) {
    Endpoint side(driver(), {});
    GuestPeer peer = GuestPeer::listening(kGuestPort, false);
    ASSERT_EQ(side.connector->bind(conformance::local_address()), Outcome::success);
    EXPECT_EQ(side.connector->connect(*side.queue_pair, guest(kGuestPort), {}, data_of(40)).wait(kPatience),
              Outcome::connection_refused);
    PrivateData answer;
    ASSERT_EQ(side.connector->private_data(answer), Outcome::success);
    EXPECT_EQ(answer, data_of(40));
    EXPECT_EQ(peer.exit_code(), 0);
}

TEST_F(Beginning, PrivateDataOfSiwReachAProgramAndComeBack) {
    for (const unsigned bytes : {0u, 1u, 56u, 148u}) {
        SCOPED_TRACE(bytes);
        Endpoint side(driver(), {});
        const auto listener = conformance::listening(*side.adapter);
        const Operation request = listener->get_request(*side.connector);
        GuestPeer peer = GuestPeer::connecting(ntohs(conformance::address_of(*listener).ipv4.sin_port), bytes);
        ASSERT_EQ(request.wait(kPatience), Outcome::success);
        PrivateData heard;
        ASSERT_EQ(side.connector->private_data(heard), Outcome::success);
        EXPECT_EQ(heard, data_of(bytes));
        ASSERT_EQ(side.receive(1, 0, 64), Outcome::success);
        ASSERT_EQ(side.connector->accept(*side.queue_pair, {}, heard).wait(kPatience), Outcome::success);
        EXPECT_TRUE(reports_received(*side.received, 1, sizeof(Answer)));
        EXPECT_EQ(peer.line().size(), std::string("answer").size() + 3 * bytes);
        EXPECT_EQ(side.connector->disconnect().wait(kPatience), Outcome::success);
        EXPECT_EQ(peer.exit_code(), 0);
    }
}

TEST_F(Beginning, ARejectionReachesSiwWithItsPrivateData) {
    Endpoint side(driver(), {});
    const auto listener = conformance::listening(*side.adapter);
    const Operation request = listener->get_request(*side.connector);
    GuestPeer peer = GuestPeer::connecting(ntohs(conformance::address_of(*listener).ipv4.sin_port));
    ASSERT_EQ(request.wait(kPatience), Outcome::success);
    EXPECT_EQ(side.connector->reject(data_of(3)), Outcome::success);
    EXPECT_EQ(peer.line(), "answer 97 9e a5");
    EXPECT_EQ(peer.exit_code(), 3) << "rejected";
}

TEST_F(Beginning, OnAPortWhereNobodyListens) {
    Endpoint side(driver(), {});
    ASSERT_EQ(side.connector->bind(conformance::local_address()), Outcome::success);
    EXPECT_EQ(side.connector->connect(*side.queue_pair, guest(7499), {}, {}).wait(kPatience),
              Outcome::connection_refused);
}

}  // namespace
}  // namespace opennd::lab
