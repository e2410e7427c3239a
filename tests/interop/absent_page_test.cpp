// SPDX-License-Identifier: MIT
//
// A page of the peer's memory does not come, and the kernel copies for as long as the peer wants. That costs the thread
// that posted the request and that connection, and nobody else. Requirements ND2-OVL-24, ND2-QP-FLUSH-05.
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "interop/two_process_test.h"
#include "support/absent_pages.h"
#include "support/process_resources.h"
#include "support/requirement.h"

namespace opennd::interop {
namespace {

using conformance::RequestKind;
using support::proves;

// Pages that are whole, wherever the peer's memory begins.
constexpr std::size_t kInside = 64 * 1024;
constexpr conformance::Tag kRequest = 7, kMessage = 8;

// A request of a thread of this process: short and long ones take different ways.
struct Access {
    RequestKind kind;
    std::size_t bytes;
};
constexpr std::array kAccesses{Access{RequestKind::write, 8}, Access{RequestKind::read, kMessageBytes}};

// A connection with a thread of this process that waits for a page of the peer's. The peer sends a message then.
struct HeldConnection {
    HeldConnection(conformance::Driver& driver, const std::function<PeerProcess(std::uint16_t)>& start, Access access)
        : side(driver, MemoryKind::ordinary), peer(start(side.port)) {
        side.accept_peer();
        const Remote offered = side.take_offer();
        EXPECT_EQ(peer.line(), "connected");
        EXPECT_EQ(side.receive(kMessage, kOfferOffset, sizeof(Offer)), Outcome::success);
        lost.emplace(side.connector->notify_disconnect());
        const Remote remote{offered.address + kInside, offered.token};
        poster = std::thread([this, access, remote] {
            (void)(access.kind == RequestKind::write ? side.write(kRequest, 0, access.bytes, remote)
                                                     : side.read(kRequest, 0, access.bytes, remote));
            returned = true;
        });
        EXPECT_EQ(peer.line(), "kept");
    }
    ~HeldConnection() { release(); }
    void release() {
        if (!poster.joinable()) return;
        peer.kill();
        poster.join();
    }

    Side side;
    PeerProcess peer;
    std::optional<Operation> lost;
    std::atomic<bool> returned{false};
    std::thread poster;
};

class AbsentPage : public TwoProcesses {
protected:
    void SetUp() override {
        if (const std::string reason = support::AbsentPages::unavailable(); !reason.empty()) GTEST_SKIP() << reason;
        serve_a_peer();  // makes the resources that a process keeps for as long as it uses the library
        baseline_ = support::settled_resources();
    }
    void TearDown() override {
        if (IsSkipped()) return;
        serve_a_peer();
        const bool clean = support::wait_until([this] { return support::resources_in_use().within(baseline_); });
        EXPECT_TRUE(clean) << "leaked: " << support::resources_in_use() << ", before: " << baseline_;
    }

    template <typename Body>
    void with_each_access(const char* role, Body body) {
        for (const Access& access : kAccesses) {
            SCOPED_TRACE(std::string(access.kind == RequestKind::write ? "Write" : "Read") + " of " +
                         std::to_string(access.bytes) + " bytes");
            HeldConnection held(
                *driver_, [&](std::uint16_t port) { return start_peer(role, port); }, access);
            if (HasFailure()) return;
            body(held, access);
        }
    }

private:
    support::ProcessResources baseline_;
};

TEST_P(AbsentPage, HoldsUpNoOtherConnection) {
    proves("ND2-OVL-24");
    with_each_access("keep-page", [this](HeldConnection& held, const Access&) {
        EXPECT_TRUE(conformance::reports_received(*held.side.received, kMessage, sizeof(Offer)))
            << "nor what arrives at this one";
        serve_a_peer();
        EXPECT_FALSE(held.returned) << "the page came";
    });
}

TEST_P(AbsentPage, IsNotWaitedForByADeregister) {
    proves("ND2-MR-DEREG-02");
    with_each_access("keep-page", [this](HeldConnection& held, const Access& access) {
        std::array<std::byte, 64> memory{};
        const auto other = conformance::registered(*held.side.adapter, memory.data(), memory.size(), 0);
        EXPECT_EQ(other->withdraw().wait(), Outcome::success);
        EXPECT_TRUE(conformance::reports(*held.side.initiated, access.kind, kRequest, Outcome::io_timeout));
        EXPECT_EQ(held.lost->wait(), Outcome::success) << "the connection has failed";
        serve_a_peer();
        EXPECT_FALSE(held.returned) << "the page came";
    });
}

TEST_P(AbsentPage, IsNotWaitedForWhenThePeerEndsTheConnection) {
    proves("ND2-OVL-24", "ND2-CON-NTF-01");
    with_each_access("keep-and-leave", [this](HeldConnection& held, const Access& access) {
        EXPECT_EQ(held.peer.line(), "left");
        serve_a_peer();
        EXPECT_EQ(held.lost->wait(), Outcome::success);
        EXPECT_TRUE(conformance::reports(*held.side.initiated, access.kind, kRequest, Outcome::io_timeout));
        EXPECT_FALSE(held.returned) << "the page came";
    });
}

TEST_P(AbsentPage, IsNotWaitedForWhenThisSideEndsTheConnection) {
    proves("ND2-QP-FLUSH-05", "ND2-CON-DISC-01");
    with_each_access("keep-page", [this](HeldConnection& held, const Access& access) {
        EXPECT_EQ(held.side.connector->disconnect().wait(), Outcome::success);
        EXPECT_TRUE(conformance::reports(*held.side.initiated, access.kind, kRequest, Outcome::io_timeout));
        serve_a_peer();
        EXPECT_FALSE(held.returned) << "the page came";
    });
}

TEST_P(AbsentPage, IsNotWaitedForByAFlush) {
    proves("ND2-QP-FLUSH-05");
    with_each_access("keep-page", [this](HeldConnection& held, const Access& access) {
        EXPECT_EQ(held.side.queue_pair->flush(), Outcome::success);
        EXPECT_TRUE(conformance::reports(*held.side.initiated, access.kind, kRequest, Outcome::io_timeout));
        EXPECT_EQ(held.lost->wait(), Outcome::success) << "the connection has failed";
        serve_a_peer();
        EXPECT_FALSE(held.returned) << "the page came";
    });
}

TEST_P(AbsentPage, ComesToNothingWhenThePeerDies) {
    proves("ND2-GEN-12");
    with_each_access("keep-page", [](HeldConnection& held, const Access&) {
        held.release();
        EXPECT_EQ(held.lost->wait(), Outcome::success);
        EXPECT_NE(conformance::next(*held.side.initiated).outcome, Outcome::nothing_by_the_deadline);
    });
}

INSTANTIATE_TEST_SUITE_P(, AbsentPage, testing::Values("shm"), transport_name);

}  // namespace
}  // namespace opennd::interop
