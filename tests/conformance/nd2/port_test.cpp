// SPDX-License-Identifier: MIT
//
// Events and completion ports by themselves: opennd.h. Requirements ND2-OVL-10, ND2-FILE-08.
#include <fcntl.h>
#include <poll.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "conformance/nd2/nd2_test.h"

namespace opennd::conformance::nd2 {
namespace {

bool readable(int descriptor) {
    pollfd entry{.fd = descriptor, .events = POLLIN, .revents = 0};
    return poll(&entry, 1, 0) == 1 && (entry.revents & POLLIN) != 0;
}

std::set<int> open_descriptors() {
    std::set<int> all;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
        all.insert(std::stoi(entry.path().filename()));
    std::erase_if(all, [](int each) { return fcntl(each, F_GETFD) == -1; });  // the one of the iterator
    return all;
}

class Handles : public testing::Test {
protected:
    ~Handles() override {
        for (HANDLE handle : opened_) opennd_handle_close(handle);
    }

    HANDLE event(BOOL manual_reset) {
        HANDLE handle = nullptr;
        support::require(opennd_event_create(manual_reset, FALSE, &handle), ND_SUCCESS, "opennd_event_create");
        return opened_.emplace_back(handle);
    }

    HANDLE port() {
        HANDLE handle = nullptr;
        support::require(opennd_port_create(&handle), ND_SUCCESS, "opennd_port_create");
        return opened_.emplace_back(handle);
    }

    std::vector<HANDLE> opened_;
};

TEST_F(Handles, ManualResetEventStaysSignalled) {
    proves("ND2-FILE-08");
    HANDLE handle = event(TRUE);
    EXPECT_TRUE(is(opennd_event_wait(handle, 0), ND_TIMEOUT));
    ASSERT_TRUE(is(opennd_event_set(handle), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_event_wait(handle, 0), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_event_wait(handle, 0), ND_SUCCESS));
    ASSERT_TRUE(is(opennd_event_reset(handle), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_event_wait(handle, 0), ND_TIMEOUT));
}

TEST_F(Handles, AutoResetEventLetsOneWaiterThrough) {
    proves("ND2-FILE-08");
    HANDLE handle = event(FALSE);
    ASSERT_TRUE(is(opennd_event_set(handle), ND_SUCCESS));
    ASSERT_TRUE(is(opennd_event_set(handle), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_event_wait(handle, 0), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_event_wait(handle, 0), ND_TIMEOUT)) << "signals do not add up";
}

TEST_F(Handles, DescriptorsFollowTheirHandles) {
    proves("ND2-FILE-08");
    HANDLE signal = event(TRUE), packets = port();
    int signal_descriptor = -1, packets_descriptor = -1;
    ASSERT_TRUE(is(opennd_event_descriptor(signal, &signal_descriptor), ND_SUCCESS));
    ASSERT_TRUE(is(opennd_port_descriptor(packets, &packets_descriptor), ND_SUCCESS));
    EXPECT_FALSE(readable(signal_descriptor));
    EXPECT_FALSE(readable(packets_descriptor));
    ASSERT_TRUE(is(opennd_event_set(signal), ND_SUCCESS));
    ASSERT_TRUE(is(opennd_port_post(packets, 0, 0, nullptr), ND_SUCCESS));
    EXPECT_TRUE(readable(signal_descriptor));
    EXPECT_TRUE(readable(packets_descriptor));
    opennd_packet packet{};
    ULONG count = 0;
    ASSERT_TRUE(is(opennd_event_reset(signal), ND_SUCCESS));
    ASSERT_TRUE(is(opennd_port_wait(packets, &packet, 1, 0, &count), ND_SUCCESS));
    EXPECT_FALSE(readable(signal_descriptor));
    EXPECT_FALSE(readable(packets_descriptor));
}

// A handle's descriptor has another number, and lives as long as the handle.
TEST_F(Handles, AreNoDescriptors) {
    proves("ND2-FILE-08");
    constexpr int kOfEachKind = 64;
    const support::Startup startup;
    const ComPtr<IND2Adapter> adapter = support::open_loopback_adapter();
    const std::function<HRESULT(HANDLE*)> kinds[] = {
        [](HANDLE* handle) { return opennd_event_create(TRUE, FALSE, handle); },
        [](HANDLE* handle) { return opennd_port_create(handle); },
        [&](HANDLE* handle) { return adapter->CreateOverlappedFile(handle); },
    };
    for (int i = 0; i < kOfEachKind; ++i)
        for (const auto& create : kinds) {
            const std::set<int> before = open_descriptors();
            HANDLE handle = nullptr;
            ASSERT_TRUE(is(create(&handle), ND_SUCCESS));
            opened_.push_back(handle);
            const auto value = reinterpret_cast<LONG_PTR>(handle);
            for (const int descriptor : open_descriptors())
                EXPECT_TRUE(before.contains(descriptor) || descriptor != value) << "the handle is descriptor " << value;
            int descriptor = -1;
            if (SUCCEEDED(opennd_event_descriptor(handle, &descriptor)) ||
                SUCCEEDED(opennd_port_descriptor(handle, &descriptor))) {
                EXPECT_NE(descriptor, value);
                EXPECT_TRUE(open_descriptors().contains(descriptor)) << "but that is one";
            }
        }
}

TEST_F(Handles, WrongKindsAreInvalid) {
    proves("ND2-FILE-08");
    HANDLE signal = event(TRUE), packets = port();
    int descriptor = -1;
    EXPECT_TRUE(is(opennd_event_set(packets), ND_INVALID_HANDLE));
    EXPECT_TRUE(is(opennd_event_set(nullptr), ND_INVALID_HANDLE));
    EXPECT_TRUE(is(opennd_port_post(signal, 0, 0, nullptr), ND_INVALID_HANDLE));
    EXPECT_TRUE(is(opennd_port_descriptor(signal, &descriptor), ND_INVALID_HANDLE));
    EXPECT_TRUE(is(opennd_port_associate(packets, signal, 0), ND_INVALID_HANDLE));
    EXPECT_TRUE(is(opennd_handle_close(reinterpret_cast<HANDLE>(~ULONG_PTR{0})), ND_INVALID_HANDLE));
}

TEST_F(Handles, PortIsFirstInFirstOutAndKeepsWhatWasPosted) {
    proves("ND2-OVL-10");
    HANDLE packets = port();
    OVERLAPPED overlapped{};
    for (DWORD i = 0; i < 10; ++i) {
        ASSERT_TRUE(is(opennd_port_post(packets, i, i + 100, i % 2 ? &overlapped : nullptr), ND_SUCCESS));
    }
    opennd_packet taken[16]{};
    ULONG count = 0;
    ASSERT_TRUE(is(opennd_port_wait(packets, taken, 4, 0, &count), ND_SUCCESS));
    ASSERT_EQ(count, 4u);
    ASSERT_TRUE(is(opennd_port_wait(packets, taken + 4, 12, 0, &count), ND_SUCCESS));
    ASSERT_EQ(count, 6u);
    for (DWORD i = 0; i < 10; ++i) {
        EXPECT_EQ(taken[i].bytes, i);
        EXPECT_EQ(taken[i].key, i + 100u);
        EXPECT_EQ(taken[i].overlapped, i % 2 ? &overlapped : nullptr);
        EXPECT_TRUE(is(static_cast<HRESULT>(taken[i].status), ND_SUCCESS));
    }
}

TEST_F(Handles, ClosedPortReleasesItsWaiters) {
    proves("ND2-FILE-02");
    HANDLE packets = nullptr;
    ASSERT_TRUE(is(opennd_port_create(&packets), ND_SUCCESS));
    HRESULT waited = ND_SUCCESS;
    std::thread waiter([&] {
        opennd_packet packet{};
        ULONG count = 0;
        waited = opennd_port_wait(packets, &packet, 1, kWaitMs, &count);
    });
    EXPECT_TRUE(is(opennd_handle_close(packets), ND_SUCCESS));
    waiter.join();
    EXPECT_TRUE(is_one_of(waited, {ND_CANCELED, ND_INVALID_HANDLE})) << "before or after it began to wait";
}

TEST_F(Handles, PortGivesEachPacketToOneOfManyWaiters) {
    proves("ND2-OVL-10");
    constexpr ULONG_PTR kPackets = 5000, kStop = kPackets;
    constexpr int kWaiters = 4;
    HANDLE packets = port();
    std::vector<std::atomic<int>> seen(kPackets);
    std::vector<std::thread> waiters;
    for (int i = 0; i < kWaiters; ++i) {
        waiters.emplace_back([&] {
            for (;;) {
                opennd_packet packet{};
                ULONG count = 0;
                const HRESULT waited = opennd_port_wait(packets, &packet, 1, kWaitMs, &count);
                EXPECT_TRUE(is(waited, ND_SUCCESS));
                if (waited != ND_SUCCESS || packet.key == kStop) return;
                ++seen[packet.key];
            }
        });
    }
    for (ULONG_PTR key = 0; key < kPackets; ++key)
        EXPECT_TRUE(is(opennd_port_post(packets, 0, key, nullptr), ND_SUCCESS));
    for (int i = 0; i < kWaiters; ++i) EXPECT_TRUE(is(opennd_port_post(packets, 0, kStop, nullptr), ND_SUCCESS));
    for (auto& waiter : waiters) waiter.join();
    for (ULONG_PTR key = 0; key < kPackets; ++key) ASSERT_EQ(seen[key], 1) << "packet " << key;
}

}  // namespace
}  // namespace opennd::conformance::nd2
