// SPDX-License-Identifier: MIT
//
// An administrator's settings in the environment, which a process reads once: each test is a process of its own.
#include <sys/resource.h>

#include <cstdlib>

#include "conformance/vocabulary/nd1/driver.h"
#include "hostile/hostile_test.h"
#include "process/child.h"

namespace opennd::hostile {
namespace {

struct Setting {
    const char* variable;
    const char* value;
};

// Runs `body` with a driver over iwarp that knows the setting.
template <typename Body>
void with(const Setting& setting, Body body) {
    process::in_child([&] {
        ::setenv(setting.variable, setting.value, 1);
        const conformance::PinnedTransport transport("iwarp");
        body(*conformance::nd2::open_driver());
    });
}

// The same for each of the faces in turn.
template <typename Body>
void with_every_face(const Setting& setting, Body body) {
    with(setting, [&](conformance::Driver& version_2) {
        body(version_2);
        body(*conformance::nd1::open_driver());
    });
}

// This side connects to a raw listener, as often as a test wants.
struct Caller {
    Caller(conformance::Driver& driver, RawListener& listener)
        : side(driver, {}), connect(connecting(listener.port())) {}

    Endpoint side;
    Operation connect;

private:
    Operation connecting(std::uint16_t port) {
        EXPECT_EQ(side.connector->bind(conformance::local_address()), Outcome::success);
        return side.connector->connect(*side.queue_pair, conformance::local_address(port), {}, {});
    }
};

const Frame kAccepting{.reply = true, .enhanced = {0x80, 0x10, 0x80, 0x10}};
const Frame kOldAccepting{.reply = true, .flags = 0x40, .revision = 1, .enhanced = {}};

unsigned revision_of(const Octets& frame) { return frame.size() < 18 ? 0 : frame[17]; }

// The revision of the next attempt at the listener, which ends without an answer.
unsigned refused_revision(RawListener& listener) {
    RawPeer peer = listener.accept();
    return revision_of(peer.hear_frame());
}

// The revision of the next attempt, which is accepted in revision 1.
unsigned accepted_revision(RawListener& listener, Caller& caller) {
    RawPeer peer = listener.accept();
    const unsigned revision = revision_of(peer.hear_frame());
    peer.say(octets_of(kOldAccepting));
    EXPECT_EQ(caller.connect.wait(), Outcome::success);
    return revision;
}

TEST(Settings, RememberWhoSpeaksRevisionOneAlone) {
    support::proves("IW-CM-19", "IW-CM-17");
    with({"OPENND_IWARP_REVISION", "auto"}, [](conformance::Driver& driver) {
        RawListener listener, other;
        {
            Caller caller(driver, listener);
            EXPECT_EQ(refused_revision(listener), 2u);
            EXPECT_EQ(accepted_revision(listener, caller), 1u);
        }
        {
            Caller caller(driver, listener);
            EXPECT_EQ(accepted_revision(listener, caller), 1u) << "at once";
        }
        {
            Caller caller(driver, other);
            EXPECT_EQ(refused_revision(other), 2u) << "of another port nothing is known";
            EXPECT_EQ(refused_revision(other), 1u);
            EXPECT_EQ(caller.connect.wait(), Outcome::connection_refused);
        }
        {
            Caller caller(driver, listener);
            EXPECT_EQ(refused_revision(listener), 1u);
            EXPECT_EQ(caller.connect.wait(), Outcome::connection_refused) << "and nothing else is tried";
        }
        Caller caller(driver, listener);
        EXPECT_EQ(refused_revision(listener), 2u) << "what was known is wrong by now";
        EXPECT_EQ(accepted_revision(listener, caller), 1u);
    });
}

TEST(Settings, OfOneRevisionTryNoOther) {
    support::proves("IW-CM-19");
    with({"OPENND_IWARP_REVISION", "2"}, [](conformance::Driver& driver) {
        RawListener listener;
        for (int round = 0; round < 2; ++round) {
            Caller caller(driver, listener);
            EXPECT_EQ(refused_revision(listener), 2u);
            EXPECT_EQ(caller.connect.wait(), Outcome::connection_refused);
        }
    });
    with({"OPENND_IWARP_REVISION", "1"}, [](conformance::Driver& driver) {
        RawListener listener;
        Caller caller(driver, listener);
        EXPECT_EQ(accepted_revision(listener, caller), 1u);
    });
}

// By either message, with markers and without: the stream goes on behind it when the program completes.
// C is set in neither frame of this side, but where the peer has it.
TEST(Settings, AskForNoCrc) {
    support::proves("IW-MPA-09", "IW-MPA-07");
    for (const bool off : {true, false})
        with({"OPENND_IWARP_CRC", off ? "off" : "on"}, [off](conformance::Driver& driver) {
            constexpr unsigned kCrc = 0x40;
            RawListener listener;
            Caller caller(driver, listener);
            RawPeer peer = listener.accept();
            const Octets request = peer.hear_frame();
            ASSERT_GE(request.size(), 20u);
            EXPECT_EQ(request[16] & kCrc, off ? 0u : kCrc);
            const OpenStream without(driver, {}, 0, {.flags = 0x10}), with(driver, {}, 0, {.flags = 0x50});
            EXPECT_EQ(without.reply[16] & kCrc, off ? 0u : kCrc);
            EXPECT_EQ(with.reply[16] & kCrc, kCrc);
        });
}

TEST(Settings, OpenTheStreamBeforeTheProgramCompletes) {
    support::proves("IW-CM-11");
    with({"OPENND_IWARP_OPEN_AT", "reply"}, [](conformance::Driver& driver) {
        const Octets read =
            untagged(1, 1, 1, 0, joined({number32(0), number64(0), number32(0), number32(1), number64(0)}));
        for (const bool by_read : {false, true}) {
            for (const bool markers : {false, true}) {
                SCOPED_TRACE(testing::Message() << "by Read: " << by_read << ", markers: " << markers);
                RawListener listener;
                Caller caller(driver, listener);
                RawPeer peer = listener.accept();
                peer.hear_frame();
                Frame reply = kAccepting;
                if (by_read) reply.enhanced = {0x80, 0x10, 0x40, 0x10};
                if (markers) reply.flags |= 0x80;
                peer.say(octets_of(reply));
                ASSERT_EQ(caller.connect.wait(), Outcome::success);
                if (markers) {
                    EXPECT_EQ(peer.hear(4), Octets(4)) << "the marker at the beginning";
                    peer.hear(by_read ? 52 : 20);
                } else {
                    EXPECT_EQ(peer.hear_ulpdu(), by_read ? read : tagged(0, 1, 0)) << "the program has not completed";
                }
                if (by_read) peer.say(fpdu(tagged(2, 0, 0)));
                ASSERT_EQ(caller.side.receive(1, 0, 8), Outcome::success);
                peer.say(fpdu(send(1, {1})));  // so that the opening is not repeated
                ASSERT_EQ(caller.side.connector->complete_connect().wait(), Outcome::success);
                EXPECT_TRUE(reports_received(*caller.side.received, 1, 1));
                ASSERT_EQ(caller.side.send(2, 0, 8), Outcome::success);
                const auto message = peer.hear_ulpdu();  // no marker is due before octet 512
                ASSERT_TRUE(message);
                EXPECT_EQ((*message)[1], 0x43) << "the Send, and no second opening before it";
            }
        }
    });
}

TEST(Settings, OpenTheStreamBeforeTheProgramRejects) {
    support::proves("IW-CM-11");
    with({"OPENND_IWARP_OPEN_AT", "reply"}, [](conformance::Driver& driver) {
        for (const bool markers : {false, true}) {
            RawListener listener;
            Caller caller(driver, listener);
            RawPeer peer = listener.accept();
            peer.hear_frame();
            Frame reply = kAccepting;
            if (markers) reply.flags |= 0x80;
            peer.say(octets_of(reply));
            ASSERT_EQ(caller.connect.wait(), Outcome::success);
            EXPECT_EQ(peer.hear(markers ? 24 : 20).size(), markers ? 24u : 20u);
            ASSERT_EQ(caller.side.connector->reject({}), Outcome::success);
            EXPECT_EQ(peer.hear_terminate(), "2/0/05");
        }
    });
}

TEST(Settings, LimitTheWaitForTheOpening) {
    support::proves("IW-NEG-29", "ND1-CN-ACC-05");
    with_every_face({"OPENND_IWARP_PATIENCE_MS", "1000"}, [](conformance::Driver& driver) {
        Endpoint side(driver, {});
        const auto listener = conformance::listening(*side.adapter);
        const Operation awaited = listener->get_request(*side.connector);
        RawPeer peer = RawPeer::connected_to(ntohs(conformance::address_of(*listener).ipv4.sin_port));
        peer.say(octets_of({}));
        ASSERT_EQ(awaited.wait(), Outcome::success);
        const Operation accept = side.connector->accept(*side.queue_pair, {}, {});
        EXPECT_EQ(peer.hear_frame().size(), 24u);
        EXPECT_EQ(accept.wait(), Outcome::io_timeout);
        EXPECT_EQ(peer.stream_end(), StreamEnd::reset);
    });
}

TEST(Settings, LimitTheWaitForTheReply) {
    support::proves("ND1-CN-CONN-11");
    with_every_face({"OPENND_IWARP_PATIENCE_MS", "1000"}, [](conformance::Driver& driver) {
        RawListener listener;
        Caller caller(driver, listener);
        RawPeer peer = listener.accept();
        EXPECT_EQ(peer.hear_frame().size(), 24u);
        EXPECT_EQ(caller.connect.wait(), Outcome::io_timeout);
        EXPECT_EQ(peer.stream_end(), StreamEnd::reset);
    });
}

std::chrono::microseconds processor_time() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto of = [](const timeval& time) {
        return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
    };
    return of(usage.ru_utime) + of(usage.ru_stime);
}

// The peer asks for more than sockets hold and reads none of it: others go on, nobody spins, and it is waited for, since its
// system answers. network/lost_test.py has one whose system does not.
TEST(Settings, WaitForAPeerThatTakesNothing) {
    support::proves("IW-NEG-98", "IW-CM-02");
    with({"OPENND_IWARP_DEAD_MS", "1000"}, [](conformance::Driver& driver) {
        constexpr std::uint32_t kMuch = 32u << 20;
        constexpr std::chrono::milliseconds kThreeTimes{3000};
        OpenStream deaf(driver, {.memory_bytes = kMuch}), other(driver);
        ASSERT_EQ(deaf.side.receive(1, 0, 8), Outcome::success);
        const Operation lost = deaf.side.connector->notify_disconnect();
        deaf.peer.say(fpdu(read_request(1, deaf.stag(), deaf.address(), kMuch)));
        EXPECT_EQ(deaf.peer.hear(2).size(), 2u) << "the answer has begun";
        other.peer.say(fpdu(read_request(1, other.stag(), other.address(), 8)));
        EXPECT_TRUE(other.peer.hear_ulpdu());
        const auto before = processor_time();
        EXPECT_EQ(lost.wait(kThreeTimes), Outcome::nothing_by_the_deadline);
        EXPECT_LT(processor_time() - before, std::chrono::milliseconds(300)) << "somebody spins";
        deaf.peer.reset();
        EXPECT_EQ(lost.wait(), Outcome::success);
        EXPECT_TRUE(reports_exactly(*deaf.side.received, {1}, Outcome::canceled));
        other.peer.say(fpdu(read_request(2, other.stag(), other.address(), 8)));
        EXPECT_TRUE(other.peer.hear_ulpdu());
    });
}

TEST(Settings, EndWhatIsIdle) {
    support::proves("IW-SEC-25");
    with({"OPENND_IWARP_IDLE_MS", "1000"}, [](conformance::Driver& driver) {
        OpenStream idle(driver), busy(driver);
        ASSERT_EQ(idle.side.receive(1, 0, 8), Outcome::success);
        const Operation lost = idle.side.connector->notify_disconnect();
        const Operation other_lost = busy.side.connector->notify_disconnect();
        std::uint32_t msn = 0;
        EXPECT_TRUE(wait_until([&] {
            busy.peer.say(fpdu(read_request(++msn, busy.stag(), busy.address(), 8)));
            EXPECT_TRUE(busy.peer.hear_ulpdu());
            return lost.now() != Outcome::pending;
        }));
        EXPECT_EQ(lost.now(), Outcome::success);
        EXPECT_TRUE(reports_exactly(*idle.side.received, {1}, Outcome::canceled));
        EXPECT_EQ(idle.peer.stream_end(), StreamEnd::in_order);
        EXPECT_EQ(other_lost.now(), Outcome::pending);
    });
}

TEST(Settings, EndWhatIsIdleAtTheSideThatConnected) {
    support::proves("IW-SEC-25");
    with({"OPENND_IWARP_IDLE_MS", "1000"}, [](conformance::Driver& driver) {
        RawListener listener;
        Caller idle(driver, listener);
        RawPeer peer = listener.accept();
        peer.hear_frame();
        peer.say(octets_of(kAccepting));
        ASSERT_EQ(idle.connect.wait(), Outcome::success);
        ASSERT_EQ(idle.side.connector->complete_connect().wait(), Outcome::success);
        ASSERT_EQ(idle.side.receive(1, 0, 8), Outcome::success);
        ASSERT_EQ(idle.side.receive(2, 0, 8), Outcome::success);
        const Operation lost = idle.side.connector->notify_disconnect();
        peer.say(fpdu(send(1, {1})));  // so that the opening is not repeated
        EXPECT_TRUE(reports_received(*idle.side.received, 1, 1));
        EXPECT_EQ(lost.wait(), Outcome::success);
        EXPECT_TRUE(reports_exactly(*idle.side.received, {2}, Outcome::canceled));
        EXPECT_EQ(peer.stream_end(), StreamEnd::in_order);
    });
}

}  // namespace
}  // namespace opennd::hostile
