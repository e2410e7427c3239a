// SPDX-License-Identifier: MIT
// Windows events: manual and automatic reset, deadlines, descriptors.
#include "platform/waiting/event.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "unit/platform/open_descriptors.h"
#include "unit/platform/readable.h"

namespace opennd {
namespace {

using namespace std::chrono_literals;

Ref<Event> make_event(EventReset reset, bool signalled = false) { return make_ref<Event>(reset, signalled); }
Status look(Event& event) { return event.wait(SteadyTime{}); }

TEST(Event, IsBornAsAsked) {
    EXPECT_EQ(look(*make_event(EventReset::manual, false)), Status::timed_out);
    EXPECT_EQ(look(*make_event(EventReset::manual, true)), Status::success);
    EXPECT_EQ(look(*make_event(EventReset::automatic, false)), Status::timed_out);
    EXPECT_EQ(look(*make_event(EventReset::automatic, true)), Status::success);
}

TEST(Event, AManualOneStaysSignalledUntilReset) {
    const Ref<Event> event = make_event(EventReset::manual);
    event->set();
    EXPECT_EQ(event->wait(std::nullopt), Status::success);
    EXPECT_EQ(look(*event), Status::success);
    event->reset();
    EXPECT_EQ(look(*event), Status::timed_out);
}

TEST(Event, AnAutomaticOneIsResetByTheWaitThatSucceeds) {
    const Ref<Event> event = make_event(EventReset::automatic);
    event->set();
    event->set();  // no effect: signalled already
    EXPECT_EQ(event->wait(std::nullopt), Status::success);
    EXPECT_EQ(look(*event), Status::timed_out);
}

TEST(Event, ResetOfANonSignalledOneDoesNothing) {
    const Ref<Event> event = make_event(EventReset::automatic);
    event->reset();
    event->set();
    EXPECT_EQ(look(*event), Status::success);
}

TEST(Event, TheDescriptorFollowsTheSignal) {
    const Ref<Event> event = make_event(EventReset::automatic);
    EXPECT_FALSE(readable(event->descriptor().value()));
    event->set();
    EXPECT_TRUE(readable(event->descriptor().value()));
    EXPECT_EQ(look(*event), Status::success);
    EXPECT_FALSE(readable(event->descriptor().value()));
}

TEST(Event, NeedsNoDescriptorUntilItIsAskedForOne) {
    const std::size_t before = open_descriptors();
    const Ref<Event> event = make_event(EventReset::manual, true);
    event->reset();
    event->set();
    EXPECT_EQ(open_descriptors(), before);
    EXPECT_TRUE(readable(event->descriptor().value())) << "it was signalled before";
    EXPECT_EQ(event->descriptor().value(), event->descriptor().value());
    EXPECT_EQ(open_descriptors(), before + 1);
}

TEST(Event, WaitsUntilTheDeadline) {
    const Ref<Event> event = make_event(EventReset::manual);
    const SteadyTime deadline = now() + 3ms;
    EXPECT_EQ(event->wait(deadline), Status::timed_out);
    EXPECT_GE(now(), deadline);
}

TEST(Event, WakesAWaiter) {
    for (const EventReset reset : {EventReset::manual, EventReset::automatic}) {
        const Ref<Event> event = make_event(reset);
        std::thread waiter([&] { EXPECT_EQ(event->wait(std::nullopt), Status::success); });
        event->set();
        waiter.join();
    }
}

TEST(Event, AnAutomaticOneLetsExactlyOneWaiterThroughPerSignal) {
    constexpr int kSignals = 500;
    const Ref<Event> event = make_event(EventReset::automatic);
    const Ref<Event> taken = make_event(EventReset::automatic);
    std::atomic<int> through{0};
    std::atomic<bool> stop{false};
    std::vector<std::thread> waiters;
    for (int t = 0; t < 3; ++t)
        waiters.emplace_back([&] {
            for (;;) {
                EXPECT_EQ(event->wait(std::nullopt), Status::success);
                if (stop) return event->set();  // lets the next one end
                ++through;
                taken->set();
            }
        });
    for (int i = 1; i <= kSignals; ++i) {
        event->set();
        ASSERT_EQ(taken->wait(std::nullopt), Status::success);
        EXPECT_EQ(through, i);
    }
    stop = true;
    event->set();
    for (std::thread& waiter : waiters) waiter.join();
    EXPECT_EQ(through, kSignals);
}

TEST(Event, AllAreTakenOrNone) {
    const Ref<Event> automatic = make_event(EventReset::automatic, true);
    const Ref<Event> manual = make_event(EventReset::manual);
    EXPECT_EQ(Event::take_all({automatic, manual}), Status::timed_out);
    EXPECT_EQ(look(*automatic), Status::success);  // it was left alone
    automatic->set();
    manual->set();
    EXPECT_EQ(Event::take_all({manual, automatic, automatic}), Status::success);
    EXPECT_EQ(look(*automatic), Status::timed_out);
    EXPECT_EQ(look(*manual), Status::success);
}

TEST(Event, LeavesNoDescriptor) {
    const std::size_t before = open_descriptors();
    make_event(EventReset::manual);
    EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace opennd
