// SPDX-License-Identifier: MIT
//
// NDK enabled and disabled at an interface: the opens that succeed, the consumers that are told, in which order and on
// which thread.
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "ndk/consumer/side.h"
#include "ndk/consumer/state.h"

namespace opennd::ndk_test {
namespace {

// Consumers of events, by their letter; their events, in order.
class Told {
public:
    struct Listener {
        Told& told;
        char letter;
        std::function<void()> then;
    };
    static VOID on_event(PVOID context, NET_IFINDEX index, NET_PNP_EVENT_CODE event) {
        auto& listener = *static_cast<Listener*>(context);
        EXPECT_EQ(index, loopback_interface());
        listener.told.events += listener.letter;
        listener.told.events += event == NetEventNDKEnable ? '+' : '-';
        listener.told.threads.push_back(std::this_thread::get_id());
        if (listener.then) listener.then();
    }
    static NTSTATUS add(Listener& listener) {
        return opennd_ndk_register_adapter_events(loopback_interface(), on_event, &listener);
    }
    static NTSTATUS remove(Listener& listener) {
        return opennd_ndk_unregister_adapter_events(loopback_interface(), on_event, &listener);
    }

    std::string events;  // "A-B-"
    std::vector<std::thread::id> threads;
};

class NdkState : public testing::Test {
protected:
    ~NdkState() override { EXPECT_STATUS(set_state(TRUE), STATUS_SUCCESS); }
    static NTSTATUS open() {
        NDK_ADAPTER* adapter = nullptr;
        const NTSTATUS status = opennd_ndk_open_adapter({2, 1}, loopback_interface(), 0, &adapter);
        opennd_ndk_close_adapter(adapter);
        return status;
    }

    Told told_;
    Told::Listener a_{told_, 'A', {}}, b_{told_, 'B', {}}, c_{told_, 'C', {}};
};

TEST_F(NdkState, WhereItIsDisabledNobodyOpens) {
    proves("NDK-STAT-20");
    EXPECT_TRUE(loopback_entry().enabled);
    EXPECT_STATUS(set_state(FALSE), STATUS_SUCCESS);
    EXPECT_STATUS(set_state(FALSE), STATUS_SUCCESS) << "as it is already";
    EXPECT_FALSE(loopback_entry().enabled);
    EXPECT_STATUS(open(), NDIS_STATUS_ADAPTER_NOT_READY);
    Loopback local;
    NDK_ADAPTER* adapter = nullptr;
    EXPECT_STATUS(opennd_ndk_open_adapter_by_address({2, 1}, local.get(), local.length(), 0, &adapter),
                  NDIS_STATUS_ADAPTER_NOT_READY);
    EXPECT_EQ(adapter, nullptr);
    EXPECT_STATUS(set_state(TRUE), STATUS_SUCCESS);
    EXPECT_TRUE(loopback_entry().enabled);
    EXPECT_STATUS(open(), STATUS_SUCCESS);
}

TEST_F(NdkState, ADisablingIsFinishedWhenAllInstancesAreClosed) {
    proves("NDK-STAT-20");
    auto first = std::make_unique<Adapter>();
    auto second = std::make_unique<Adapter>();
    EXPECT_EQ(loopback_entry().open_count, 2u);
    EXPECT_STATUS(set_state(FALSE), STATUS_SUCCESS) << "it waits for nobody";
    EXPECT_EQ(loopback_entry().open_count, 2u);
    (void)first->create_completion_queue(4);  // in its grace time
    first.reset();
    EXPECT_EQ(loopback_entry().open_count, 1u);
    second.reset();
    EXPECT_EQ(loopback_entry().open_count, 0u);
}

TEST_F(NdkState, WhatTheSettingDisablesCannotBeEnabled) {
    proves("NDK-STAT-20", "NDK-STAT-22");
    {
        const Setting disabled("OPENND_NDK_DISABLED", "no-such0, lo");
        EXPECT_STATUS(open(), NDIS_STATUS_ADAPTER_NOT_READY);
        EXPECT_FALSE(loopback_entry().enabled);
        EXPECT_STATUS(set_state(TRUE), STATUS_NOT_SUPPORTED);
        EXPECT_STATUS(open(), NDIS_STATUS_ADAPTER_NOT_READY);
        EXPECT_STATUS(set_state(FALSE), STATUS_SUCCESS);
    }
    EXPECT_FALSE(loopback_entry().enabled) << "now by the call alone";
    EXPECT_STATUS(set_state(TRUE), STATUS_SUCCESS);
    EXPECT_STATUS(open(), STATUS_SUCCESS);
}

TEST_F(NdkState, BelongsToAnInterfaceThatExists) {
    proves("NDK-STAT-20", "NDK-STAT-21");
    constexpr NET_IFINDEX kNone = 0x7FFFFFFF;
    EXPECT_STATUS(opennd_ndk_set_state(kNone, FALSE), NDIS_STATUS_ADAPTER_NOT_FOUND);
    EXPECT_STATUS(opennd_ndk_register_adapter_events(kNone, Told::on_event, &a_), NDIS_STATUS_ADAPTER_NOT_FOUND);
    EXPECT_STATUS(opennd_ndk_unregister_adapter_events(kNone, Told::on_event, &a_), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(opennd_ndk_register_adapter_events(loopback_interface(), nullptr, &a_), STATUS_INVALID_PARAMETER);
}

TEST_F(NdkState, ChangesAreToldInTheOrderOfRegistrationByWhoMakesThem) {
    proves("NDK-STAT-21");
    EXPECT_EQ(NetEventNDKEnable, 13);
    EXPECT_EQ(NetEventNDKDisable, 14);
    for (Told::Listener* each : {&b_, &a_, &c_}) ASSERT_STATUS(Told::add(*each), STATUS_SUCCESS);
    EXPECT_STATUS(Told::add(a_), STATUS_INVALID_DEVICE_REQUEST) << "once";
    EXPECT_STATUS(set_state(FALSE), STATUS_SUCCESS);
    EXPECT_EQ(told_.events, "B-A-C-");
    EXPECT_STATUS(set_state(FALSE), STATUS_SUCCESS);
    EXPECT_EQ(told_.events, "B-A-C-") << "nothing has changed";
    EXPECT_STATUS(Told::remove(a_), STATUS_SUCCESS);
    EXPECT_STATUS(Told::remove(a_), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(set_state(TRUE), STATUS_SUCCESS);
    EXPECT_EQ(told_.events, "B-A-C-B+C+");
    for (const std::thread::id thread : told_.threads) EXPECT_EQ(thread, std::this_thread::get_id());
    for (Told::Listener* each : {&b_, &c_}) EXPECT_STATUS(Told::remove(*each), STATUS_SUCCESS);
}

TEST_F(NdkState, WhoIsToldMayCloseAndOpen) {
    proves("NDK-STAT-20", "NDK-STAT-21");
    auto adapter = std::make_unique<Adapter>();
    a_.then = [&] {
        if (adapter) {
            EXPECT_STATUS(open(), NDIS_STATUS_ADAPTER_NOT_READY) << "disabled before anybody is told";
            adapter.reset();
        } else {
            adapter = std::make_unique<Adapter>();
        }
    };
    ASSERT_STATUS(Told::add(a_), STATUS_SUCCESS);
    EXPECT_STATUS(set_state(FALSE), STATUS_SUCCESS);
    EXPECT_EQ(loopback_entry().open_count, 0u);
    EXPECT_STATUS(set_state(TRUE), STATUS_SUCCESS);
    EXPECT_EQ(loopback_entry().open_count, 1u);
    EXPECT_EQ(told_.events, "A-A+");
    EXPECT_STATUS(Told::remove(a_), STATUS_SUCCESS);
}

TEST_F(NdkState, WhoIsToldMayRegisterAndUnregister) {
    proves("NDK-STAT-21");
    a_.then = [&] {
        EXPECT_STATUS(Told::remove(a_), STATUS_SUCCESS) << "it does not wait for itself";
        EXPECT_STATUS(Told::remove(b_), STATUS_SUCCESS);
        EXPECT_STATUS(Told::add(c_), STATUS_SUCCESS);
    };
    for (Told::Listener* each : {&a_, &b_}) ASSERT_STATUS(Told::add(*each), STATUS_SUCCESS);
    EXPECT_STATUS(set_state(FALSE), STATUS_SUCCESS);
    EXPECT_EQ(told_.events, "A-") << "the second went before its turn, the third came too late";
    EXPECT_STATUS(set_state(TRUE), STATUS_SUCCESS);
    EXPECT_EQ(told_.events, "A-C+");
    EXPECT_STATUS(Told::remove(c_), STATUS_SUCCESS);
}

TEST_F(NdkState, UnregisteringWaitsForTheCallback) {
    proves("NDK-STAT-21");
    std::atomic<bool> runs = false, let_go = false, ended = false, unregistered = false;
    a_.then = [&] {
        runs = true;
        while (!let_go) std::this_thread::yield();
        ended = true;
    };
    ASSERT_STATUS(Told::add(a_), STATUS_SUCCESS);
    std::thread changing([] { EXPECT_STATUS(set_state(FALSE), STATUS_SUCCESS); });
    EXPECT_TRUE(support::wait_until([&] { return runs.load(); }));
    std::thread unregistering([&] {
        EXPECT_STATUS(Told::remove(a_), STATUS_SUCCESS);
        EXPECT_TRUE(ended);
        unregistered = true;
    });
    EXPECT_FALSE(unregistered);
    let_go = true;
    unregistering.join();
    changing.join();
}

TEST_F(NdkState, IsNotChangedFromCallbacks) {
    proves("NDK-STAT-20", "NDK-GEN-25");
    a_.then = [] { EXPECT_STATUS(set_state(TRUE), STATUS_INVALID_DEVICE_REQUEST); };
    ASSERT_STATUS(Told::add(a_), STATUS_SUCCESS);
    EXPECT_STATUS(set_state(FALSE), STATUS_SUCCESS);
    EXPECT_FALSE(loopback_entry().enabled);
    EXPECT_STATUS(Told::remove(a_), STATUS_SUCCESS);
    EXPECT_STATUS(set_state(TRUE), STATUS_SUCCESS);

    Calls statuses;
    Side side;
    Loopback from, nobody(1);
    const auto change = [](PVOID calls, NTSTATUS) { static_cast<Calls*>(calls)->add(set_state(FALSE)); };
    ASSERT_STATUS(
        side.connector->Dispatch->NdkConnect(side.connector.get(), side.queue_pair.get(), from.get(), from.length(),
                                             nobody.get(), nobody.length(), 1, 1, nullptr, 0, change, &statuses),
        STATUS_PENDING);
    EXPECT_STATUS(statuses.next(), STATUS_INVALID_DEVICE_REQUEST);
    EXPECT_TRUE(loopback_entry().enabled);
}

}  // namespace
}  // namespace opennd::ndk_test
