// SPDX-License-Identifier: MIT
//
// An instance that is still open when its grace time is over (NDK-GEN-15). The other side's is longer, so that one side
// is removed and the other is a peer that sees it.
#include <opennd.h>

#include <memory>
#include <string>

#include "ndk/consumer/side.h"
#include "ndk/consumer/state.h"

namespace opennd::ndk_test {
namespace {

// Reasons of disconnect events. Over TCP an abort is a reset, which a loss may be too.
constexpr ULONG kNotice = 1, kClosed = 2, kLost = 3, kRemoved = 6;

ULONG wire_number(const std::string& transport) { return transport == "iwarp" ? 2 : 1; }
ULONG abort_reason(const std::string& transport) { return transport == "iwarp" ? kLost : kClosed; }

// The shortest grace time there is.
std::unique_ptr<Side> short_lived() {
    const Setting grace("OPENND_NDK_GRACE_MS", "100");
    return std::make_unique<Side>();
}
std::unique_ptr<Side> long_lived() {
    const Setting grace("OPENND_NDK_GRACE_MS", "3600000");
    return std::make_unique<Side>();
}

// Nothing else tells of it where there is no connection.
bool is_removed(const Side& side) {
    return support::wait_until([&] {
        Owned<NDK_CONNECTOR> made;
        return side.adapter.call().NdkCreateConnector(side.adapter.get(), nullptr, nullptr, made.out()) ==
               STATUS_DEVICE_REMOVED;
    });
}

class NdkRemoval : public NdkTest {
protected:
    ~NdkRemoval() override { EXPECT_STATUS(set_state(TRUE), STATUS_SUCCESS); }

    static void disable() { ASSERT_STATUS(set_state(FALSE), STATUS_SUCCESS); }
    NTSTATUS complete(Side& active) {
        return active.connector->Dispatch->NdkCompleteConnectEx(active.connector.get(), Calls::event_with_reason,
                                                                &active.disconnected, Calls::request, &connected_);
    }
    // The steps of a connection up to the passive side's answer, which pends.
    void request(Side& active, Side& passive, Host& host) {
        ASSERT_STATUS(begin_connect(active, host, connected_), STATUS_PENDING);
        passive.connector = host.next();
        ASSERT_NE(passive.connector.get(), nullptr);
    }
    void reply(Side& active, Side& passive, Host& host) {
        request(active, passive, host);
        ASSERT_STATUS(accept(passive, accepted_), STATUS_PENDING);
        ASSERT_STATUS(connected_.next(), STATUS_SUCCESS);
    }
    void connect(Side& active, Side& passive) {
        Host host(passive.adapter);
        reply(active, passive, host);
        ASSERT_STATUS(connected_.end(complete(active)), STATUS_SUCCESS);
        ASSERT_STATUS(accepted_.next(), STATUS_SUCCESS);
        host.listener = {};
    }
    // `gone` was connected to `peer`, and is removed.
    void expect_aborted(Side& gone, Side& peer) {
        ASSERT_STATUS(gone.receive(1, 0, 64), STATUS_SUCCESS);
        disable();
        EXPECT_EQ(static_cast<ULONG>(gone.disconnected.next()), wire_number(GetParam()) << 24 | kRemoved);
        NDK_RESULT_EX flushed{};
        ASSERT_EQ(gone.received->Dispatch->NdkGetCqResultsEx(gone.received.get(), &flushed, 1), 1u)
            << "before the event";
        EXPECT_STATUS(flushed.Status, STATUS_CANCELLED);
        EXPECT_STATUS(gone.send(2, 0, 8), STATUS_CONNECTION_INVALID);
        EXPECT_EQ(static_cast<ULONG>(peer.disconnected.next()) & 0xFFFFFF, abort_reason(GetParam()));
        EXPECT_EQ(gone.disconnected.next(support::milliseconds(100)), kNoCallback) << "once";
    }

    Calls connected_, accepted_;
};
OPENND_OVER_EACH_TRANSPORT(NdkRemoval);

TEST_P(NdkRemoval, AbortsTheConnectionOfTheActiveSide) {
    proves("NDK-GEN-15", "NDK-STAT-21", "NDK-CON-EVT-04");
    const auto a = short_lived(), b = long_lived();
    connect(*a, *b);
    expect_aborted(*a, *b);
}

TEST_P(NdkRemoval, AbortsTheConnectionOfThePassiveSide) {
    proves("NDK-GEN-15", "NDK-STAT-21", "NDK-CON-EVT-04");
    const auto a = long_lived(), b = short_lived();
    connect(*a, *b);
    expect_aborted(*b, *a);
}

TEST_P(NdkRemoval, AConnectionWorksInTheGraceTime) {
    proves("NDK-STAT-21");
    const auto a = long_lived(), b = long_lived();
    connect(*a, *b);
    disable();
    ASSERT_STATUS(b->receive(1, 0, 64), STATUS_SUCCESS);
    ASSERT_STATUS(a->send(2, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(next_result(b->received.get()).Status, STATUS_SUCCESS);
    EXPECT_EQ(a->disconnected.count() + b->disconnected.count(), 0);
}

TEST_P(NdkRemoval, AnEndThatThePeerHasAskedForIsToldOnce) {
    proves("NDK-GEN-15", "NDK-CON-EVT-01");
    const auto a = short_lived(), b = long_lived();
    connect(*a, *b);
    ASSERT_STATUS(b->connector->Dispatch->NdkDisconnect(b->connector.get(), Calls::request, &accepted_),
                  STATUS_PENDING);
    EXPECT_EQ(static_cast<ULONG>(a->disconnected.next()) & 0xFFFFFF, kNotice);
    ASSERT_STATUS(a->receive(1, 0, 64), STATUS_SUCCESS);
    disable();
    EXPECT_STATUS(next_result(a->received.get()).Status, STATUS_CANCELLED);
    EXPECT_NE(accepted_.next(), kNoCallback);
    EXPECT_EQ(a->disconnected.count(), 1);
}

TEST_P(NdkRemoval, AConnectThatPendsFails) {
    proves("NDK-GEN-15");
    const auto a = short_lived(), b = long_lived();
    Host host(b->adapter);
    request(*a, *b, host);
    disable();
    EXPECT_STATUS(connected_.next(), STATUS_DEVICE_REMOVED);
    EXPECT_STATUS(begin_connect(*a, host, connected_), STATUS_DEVICE_REMOVED);
    b->connector = {};
}

TEST_P(NdkRemoval, AReplyThatWasNotCompletedIsRejected) {
    proves("NDK-GEN-15");
    const auto a = short_lived(), b = long_lived();
    Host host(b->adapter);
    reply(*a, *b, host);
    disable();
    EXPECT_STATUS(accepted_.next(), STATUS_CONNECTION_ABORTED);
    EXPECT_STATUS(complete(*a), STATUS_DEVICE_REMOVED);
    b->connector = {};
}

TEST_P(NdkRemoval, AnAcceptThatPendsFails) {
    proves("NDK-GEN-15");
    const auto a = long_lived(), b = short_lived();
    Host host(b->adapter);
    reply(*a, *b, host);
    disable();
    EXPECT_STATUS(accepted_.next(), STATUS_DEVICE_REMOVED);
    EXPECT_NE(connected_.end(complete(*a)), STATUS_SUCCESS);
    b->connector = {};
}

TEST_P(NdkRemoval, ARequestThatWasNotAnsweredIsRefused) {
    proves("NDK-GEN-15");
    const auto a = long_lived(), b = short_lived();
    Host host(b->adapter);
    request(*a, *b, host);
    disable();
    EXPECT_STATUS(connected_.next(), STATUS_CONNECTION_REFUSED);
    EXPECT_STATUS(accept(*b, accepted_), STATUS_DEVICE_REMOVED);
    b->connector = {};
}

TEST_P(NdkRemoval, AListenerRefusesEverybody) {
    proves("NDK-GEN-15");
    const auto a = long_lived(), b = short_lived();
    Host host(b->adapter);
    Owned<NDK_LISTENER> second = b->adapter.create_listener(Host::on_connect, &host);
    disable();
    ASSERT_TRUE(is_removed(*b));
    ASSERT_STATUS(begin_connect(*a, host, connected_), STATUS_PENDING);
    EXPECT_STATUS(connected_.next(), STATUS_CONNECTION_REFUSED);
    EXPECT_EQ(host.events.count(), 0);
    Loopback any;
    EXPECT_STATUS(second->Dispatch->NdkListen(second.get(), any.get(), any.length(), nullptr, nullptr),
                  STATUS_DEVICE_REMOVED);
}

// One connection after the other until the time is over, which it is at some step of the last.
class NdkRemovalOnTheWay : public NdkRemoval {
protected:
    static NTSTATUS renew(Side& side) {
        Owned<NDK_QP> queue_pair;
        const NTSTATUS status =
            side.domain->Dispatch->NdkCreateQp(side.domain.get(), side.received.get(), side.initiated.get(), nullptr,
                                               kDepth, kDepth, 4, 4, 256, nullptr, nullptr, queue_pair.out());
        if (status != STATUS_SUCCESS) return status;
        side.queue_pair = std::move(queue_pair);
        Owned<NDK_CONNECTOR> connector;
        const NTSTATUS made =
            side.adapter.call().NdkCreateConnector(side.adapter.get(), nullptr, nullptr, connector.out());
        if (made == STATUS_SUCCESS) side.connector = std::move(connector);
        return made;
    }
    // The first status of the side to be removed that is not success.
    NTSTATUS connect_once(Side& gone, Side& peer, Host& host) {
        if (const NTSTATUS status = renew(gone); status != STATUS_SUCCESS) return status;
        EXPECT_STATUS(renew(peer), STATUS_SUCCESS);
        const int requests = host.events.count(), outcomes = connected_.count();
        if (const NTSTATUS status = begin_connect(gone, host, connected_); status != STATUS_PENDING) return status;
        EXPECT_TRUE(
            support::wait_until([&] { return host.events.count() != requests || connected_.count() != outcomes; }));
        if (host.events.count() == requests) return connected_.next();
        peer.connector = host.next();
        const NTSTATUS accepting = accept(peer, accepted_);
        if (const NTSTATUS status = connected_.next(); status != STATUS_SUCCESS) return status;
        if (const NTSTATUS status = connected_.end(complete(gone)); status != STATUS_SUCCESS) return status;
        EXPECT_STATUS(accepted_.end(accepting), STATUS_SUCCESS);
        return STATUS_SUCCESS;
    }
};
OPENND_OVER_EACH_TRANSPORT(NdkRemovalOnTheWay);

TEST_P(NdkRemovalOnTheWay, EndsWhateverItMeets) {
    proves("NDK-GEN-15");
    const auto a = short_lived(), b = long_lived();
    Host host(b->adapter);
    disable();
    NTSTATUS status = STATUS_SUCCESS;
    while (status == STATUS_SUCCESS) status = connect_once(*a, *b, host);
    EXPECT_STATUS(status, STATUS_DEVICE_REMOVED);
    a->connector = {};
    b->connector = {};
}

class NdkRemovedInstance : public testing::Test {
protected:
    ~NdkRemovedInstance() override { EXPECT_STATUS(set_state(TRUE), STATUS_SUCCESS); }
};

TEST_F(NdkRemovedInstance, CreatesNothing) {
    proves("NDK-GEN-15", "NDK-GEN-02");
    const auto side = short_lived();
    ASSERT_STATUS(set_state(FALSE), STATUS_SUCCESS);
    ASSERT_TRUE(is_removed(*side));
    const NDK_ADAPTER_DISPATCH& call = side->adapter.call();
    NDK_ADAPTER* const adapter = side->adapter.get();
    const NDK_PD_DISPATCH& in_domain = *side->domain->Dispatch;
    NDK_PD* const domain = side->domain.get();
    NDK_CQ* queue = side->received.get();
    EXPECT_STATUS(call.NdkCreateCq(adapter, 4, nullptr, nullptr, nullptr, nullptr, nullptr, &queue),
                  STATUS_DEVICE_REMOVED);
    EXPECT_EQ(queue, nullptr);
    NDK_PD* other = nullptr;
    EXPECT_STATUS(call.NdkCreatePd(adapter, nullptr, nullptr, &other), STATUS_DEVICE_REMOVED);
    NDK_LISTENER* listener = nullptr;
    EXPECT_STATUS(call.NdkCreateListener(
                      adapter, [](PVOID, NDK_CONNECTOR*) {}, nullptr, nullptr, nullptr, &listener),
                  STATUS_DEVICE_REMOVED);
    NDK_SHARED_ENDPOINT* endpoint = nullptr;
    Loopback any;
    EXPECT_STATUS(call.NdkCreateSharedEndpoint(adapter, any.get(), any.length(), nullptr, nullptr, &endpoint),
                  STATUS_DEVICE_REMOVED);
    NDK_MR* region = nullptr;
    EXPECT_STATUS(in_domain.NdkCreateMr(domain, FALSE, nullptr, nullptr, &region), STATUS_DEVICE_REMOVED);
    NDK_MW* window = nullptr;
    EXPECT_STATUS(in_domain.NdkCreateMw(domain, nullptr, nullptr, &window), STATUS_DEVICE_REMOVED);
    NDK_SRQ* receives = nullptr;
    EXPECT_STATUS(in_domain.NdkCreateSrq(domain, 4, 1, 0, nullptr, nullptr, nullptr, nullptr, nullptr, &receives),
                  STATUS_DEVICE_REMOVED);
    NDK_QP* queue_pair = nullptr;
    EXPECT_STATUS(in_domain.NdkCreateQp(domain, side->received.get(), side->initiated.get(), nullptr, 1, 1, 1, 1, 0,
                                        nullptr, nullptr, &queue_pair),
                  STATUS_DEVICE_REMOVED);
    EXPECT_EQ(side->adapter.info().Version.Major, 2) << "it can still be asked";
}

TEST_F(NdkRemovedInstance, StaysRemovedWhenOthersCanBeOpenedAgain) {
    proves("NDK-GEN-15", "NDK-STAT-20");
    const auto side = short_lived();
    ASSERT_STATUS(set_state(FALSE), STATUS_SUCCESS);
    ASSERT_TRUE(is_removed(*side));
    EXPECT_EQ(loopback_entry().open_count, 1u) << "until its consumer closes it";
    EXPECT_STATUS(set_state(TRUE), STATUS_SUCCESS);
    EXPECT_TRUE(is_removed(*side));
    const Pair fresh;
    EXPECT_EQ(loopback_entry().open_count, 3u);
}

TEST_F(NdkRemovedInstance, IsNoneWhereItWasEnabledInTime) {
    proves("NDK-STAT-21");
    const auto side = short_lived();
    Calls never;
    ASSERT_STATUS(set_state(FALSE), STATUS_SUCCESS);
    ASSERT_STATUS(set_state(TRUE), STATUS_SUCCESS);
    EXPECT_EQ(never.next(support::milliseconds(200)), kNoCallback) << "the grace time goes by";
    (void)side->adapter.create_connector();
}

TEST_F(NdkRemovedInstance, IsReported) {
    proves("NDK-GEN-15");
    Calls reported;
    const auto note = [](void* calls, const opennd_error* error) {
        if (error->requirement == std::string("NDK-GEN-15")) static_cast<Calls*>(calls)->add(STATUS_SUCCESS);
    };
    ASSERT_EQ(opennd_error_sink(note, &reported), ND_SUCCESS);
    const auto side = short_lived();
    ASSERT_STATUS(set_state(FALSE), STATUS_SUCCESS);
    EXPECT_STATUS(reported.next(), STATUS_SUCCESS);
    EXPECT_EQ(opennd_error_sink(nullptr, nullptr), ND_SUCCESS);
}

}  // namespace
}  // namespace opennd::ndk_test
