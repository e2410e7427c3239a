// SPDX-License-Identifier: MIT
//
// Each call of the system fails once, for each reason that it can have, while two sides do all there is to do through a
// face: no method gives a status that its table lacks, every request ends, nothing is left behind, and the next time
// all of it works.
// Requirements ND2-GEN-02, ND2-QP-STAT-03, ND1-GEN-13, ND1-GEN-14, NDK-GEN-06.
#include <gtest/gtest.h>
#include <malloc.h>
#include <opennd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "faults/conversation.h"
#include "faults/failing_allocations.h"
#include "faults/failing_calls.h"
#include "support/adapter.h"
#include "support/process_resources.h"
#include "support/requirement.h"
#include "support/status.h"

namespace opennd::faults {
namespace {

using support::proves;

struct Parameter {
    Face face;
    const char* transport;
    Cause cause;
};

std::vector<Parameter> parameters() {
    std::vector<Parameter> all;
    for (const Face face : {Face::nd2, Face::nd1, Face::ndk})
        for (const char* const transport : {"loopback", "shm", "iwarp"})
            for (const Cause cause : {Cause::exhausted, Cause::forbidden, Cause::absent})
                all.push_back({face, transport, cause});
    return all;
}

std::string name_of(Face face) {
    constexpr const char* kFaces[] = {"nd2", "nd1", "ndk"};
    return kFaces[static_cast<int>(face)];
}

std::string name_of_parameter(const testing::TestParamInfo<Parameter>& info) {
    constexpr const char* kCauses[] = {"exhausted", "forbidden", "absent"};
    return name_of(info.param.face) + "_" + info.param.transport + "_" + kCauses[static_cast<int>(info.param.cause)];
}

std::string name_of_combination(const testing::TestParamInfo<std::tuple<Face, const char*>>& info) {
    return name_of(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
}

// Resources of the process that a failed walk could leak.
struct Held {
    support::ProcessResources resources;
    std::size_t threads = 0;
    std::size_t heap_bytes = 0;

    bool within(const Held& other) const {
        return resources.within(other.resources) && threads <= other.threads &&
               heap_bytes <= other.heap_bytes + kHeapBytes;
    }
    friend std::ostream& operator<<(std::ostream& out, const Held& held) {
        return out << held.resources << ", " << held.threads << " threads and " << held.heap_bytes
                   << " bytes of the heap";
    }

private:
    // Allowance for growth of the process's tables; the smallest object of a connection, leaked each time, is more.
    static constexpr std::size_t kHeapBytes = 64 * 1024;
};

Held held_now() {
    const std::filesystem::directory_iterator threads("/proc/self/task");
    return {support::resources_in_use(), static_cast<std::size_t>(std::distance(begin(threads), end(threads))),
            ::mallinfo2().uordblks};
}

// An answer that a failed call has ended does not come; one that is late costs the conversation its end, and nothing
// more.
constexpr support::milliseconds kPatience{500};

class Walk : public testing::TestWithParam<Parameter> {
protected:
    // Far more than there are; a conversation that makes more does not end.
    static constexpr long kMostCalls = 2000;

    // The call takes a resource, and a lack of it can be told: over TCP a listener's is a reset. Calls that only ask do not lack
    // anything: a failure of theirs stands for a peer that cannot be known or believed.
    static bool tells_shortage(const Parameter& parameter, const std::string& call) {
        constexpr std::array kOthers{"fcntl:", "fstat:", "fstatfs:", "getsockopt:"};
        return parameter.cause == Cause::exhausted && std::string(parameter.transport) != "iwarp" &&
               std::ranges::none_of(kOthers, [&](const char* other) { return call.starts_with(other); });
    }

    // All calls, one after the other.
    static void walk(const Parameter& parameter) {
        for (long number = 0; number < kMostCalls; ++number) {
            std::string text;
            {
                const auto failed = conversation(parameter.face);
                const FailingCall failing(number, parameter.cause);
                failed->run(kPatience);
                text = "call " + std::to_string(number) + ", " + failing.text() + ": ";
                for (const std::string& finding : failed->findings()) ADD_FAILURE() << text << finding;
                if (failed->refused_by_nobody() && tells_shortage(parameter, failing.text()))
                    ADD_FAILURE() << text << "Connect is refused, though nobody has refused it";
                if (!failing.failed()) return;
            }
            const auto next = conversation(parameter.face);
            EXPECT_TRUE(next->run()) << text << "what comes next fails: " << next->stopped_by();
            for (const std::string& finding : next->findings()) ADD_FAILURE() << text << "and next, " << finding;
        }
        FAIL() << "a conversation that does not end";
    }
};

TEST_P(Walk, NoFailureOfACallGivesAStatusThatTheTableLacks) {
    proves("ND2-GEN-02", "ND2-QP-STAT-03", "ND2-CQ-GET-03", "ND1-GEN-13", "ND1-GEN-14", "NDK-GEN-06");
    const Parameter& parameter = GetParam();
    ASSERT_EQ(opennd_transport_select(parameter.transport), ND_SUCCESS);
    ASSERT_TRUE(conversation(parameter.face)->run()) << "without a failure";
    (void)support::settled_resources();
    const Held before = held_now();
    walk(parameter);
    EXPECT_TRUE(conversation(parameter.face)->run()) << "after all the failures";
    // Sockets that wait for their peer close after some seconds.
    EXPECT_TRUE(support::wait_until([&] { return held_now().within(before); })) << held_now() << "; before: " << before;
}

INSTANTIATE_TEST_SUITE_P(, Walk, testing::ValuesIn(parameters()), name_of_parameter);

// Memory that runs out in a call of the program's, one allocation after the other. Those of other threads, and NDK, are walked at random
// by ScarceMemory.
class OutOfMemory : public testing::TestWithParam<std::tuple<Face, const char*>> {};

TEST_P(OutOfMemory, InAnyCallGivesAStatusOfTheTable) {
    proves("ND1-GEN-13", "ND1-GEN-14", "NDK-GEN-06");
    const auto [face, transport] = GetParam();
    ASSERT_EQ(opennd_transport_select(transport), ND_SUCCESS);
    ASSERT_TRUE(conversation(face)->run()) << "without a failure";
    (void)support::settled_resources();
    const Held before = held_now();
    for (long number = 0;; ++number) {
        SCOPED_TRACE("allocation " + std::to_string(number));
        auto failed = conversation(face);
        failed->memory_may_be_missing();
        const FailingAllocation failing(number);
        failed->run(kPatience);
        if (!failing.failed()) break;
        for (const std::string& finding : failed->findings()) ADD_FAILURE() << failing.text() << ": " << finding;
        failed.reset();
        ASSERT_TRUE(support::wait_until([&] { return held_now().within(before); }))
            << failing.text() << " leaves " << held_now() << "; before: " << before;
    }
    EXPECT_TRUE(conversation(face)->run()) << "after all the failures";
}

INSTANTIATE_TEST_SUITE_P(, OutOfMemory,
                         testing::Combine(testing::Values(Face::nd2, Face::nd1),
                                          testing::Values("loopback", "shm", "iwarp")),
                         name_of_combination);

// The shared queue knows nothing of a queue pair that could not be made. Each attempt begins anew, without the room of the one before.
TEST(SharedReceives, AreLeftByAQueuePairThatFindsNoMemory) {
    proves("ND2-GEN-02", "ND2-SRQ-RECV-04");
    ASSERT_EQ(opennd_transport_select("loopback"), ND_SUCCESS);
    const support::Startup startup;
    const SocketAddress address = support::loopback_address();
    long number = 0;
    for (bool failed = true; failed; ++number) {
        support::ComPtr<IND2Adapter> adapter;
        HANDLE file = nullptr;
        support::ComPtr<IND2CompletionQueue> queue;
        support::ComPtr<IND2SharedReceiveQueue> shared;
        support::ComPtr<IND2QueuePair> queue_pair;
        ASSERT_EQ(NdOpenAdapter(IID_IND2Adapter, support::as_sockaddr(address), sizeof address, adapter.out()),
                  ND_SUCCESS);
        ASSERT_EQ(adapter->CreateOverlappedFile(&file), ND_SUCCESS);
        ASSERT_EQ(adapter->CreateCompletionQueue(IID_IND2CompletionQueue, file, 16, 0, 0, queue.out()), ND_SUCCESS);
        ASSERT_EQ(adapter->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, file, 4, 1, 0, 0, 0, shared.out()),
                  ND_SUCCESS);
        const FailingAllocation failing(number);
        const HRESULT status = adapter->CreateQueuePairWithSrq(IID_IND2QueuePair, queue.get(), queue.get(),
                                                               shared.get(), nullptr, 4, 1, 0, queue_pair.out());
        failed = failing.failed();
        EXPECT_EQ(status, failed ? ND_NO_MEMORY : ND_SUCCESS) << failing.text();
        const FailingAllocation::Truce truce;
        EXPECT_EQ(shared->Modify(8, 0), ND_SUCCESS) << failing.text();
        opennd_handle_close(file);
    }
    EXPECT_GT(number, 3) << "allocations that failed";
}

// A program with signal handlers that interrupt any call of the library.
class Interrupted : public testing::TestWithParam<std::tuple<Face, const char*>> {};

TEST_P(Interrupted, NoSignalIsNoticed) {
    proves("ND2-GEN-02", "ND1-GEN-13", "NDK-GEN-06");
    const auto [face, transport] = GetParam();
    ASSERT_EQ(opennd_transport_select(transport), ND_SUCCESS);
    const Interruptions all;
    const auto whole = conversation(face);
    EXPECT_TRUE(whole->run());
    for (const std::string& finding : whole->findings()) ADD_FAILURE() << finding;
    EXPECT_GT(all.count(), 10);
}

INSTANTIATE_TEST_SUITE_P(, Interrupted,
                         testing::Combine(testing::Values(Face::nd2, Face::nd1, Face::ndk),
                                          testing::Values("loopback", "shm", "iwarp")),
                         name_of_combination);

// Objects that a process makes once, for its first adapter; so each call fails in a child of its own.
class FirstAdapter : public testing::Test {
protected:
    enum class End { as_the_table_says, otherwise, without_a_failure };

    static End open_with_failure(long number, Cause cause) {
        const pid_t child = fork();
        if (child == 0) _exit(static_cast<int>(open_in_child(number, cause)));
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status)) << "call " << number;
        return static_cast<End>(WEXITSTATUS(status));
    }

private:
    static End open_in_child(long number, Cause cause) {
        const support::Startup startup;
        const SocketAddress address = support::loopback_address();
        const FailingCall failing(number, cause);
        support::ComPtr<IND2Adapter> adapter;
        const HRESULT status =
            NdOpenAdapter(IID_IND2Adapter, support::as_sockaddr(address), sizeof address, adapter.out());
        if (!failing.failed()) return End::without_a_failure;
        const auto known =
            support::is_one_of(status, {ND_SUCCESS, ND_INVALID_ADDRESS, ND_NO_MEMORY, ND_INSUFFICIENT_RESOURCES});
        if (known) return End::as_the_table_says;
        std::cerr << "call " << number << ", " << failing.text() << ": " << known.message() << '\n';
        return End::otherwise;
    }
};

TEST_F(FirstAdapter, NoFailureOfACallGivesAStatusThatTheTableLacks) {
    proves("ND2-GEN-02", "NDS-OPEN-02");
    for (const Cause cause : {Cause::exhausted, Cause::forbidden, Cause::absent}) {
        long number = 0;
        for (End end{}; end != End::without_a_failure; ++number) {
            end = open_with_failure(number, cause);
            ASSERT_NE(end, End::otherwise);
        }
        EXPECT_GT(number, 4) << "calls that failed";
    }
}

}  // namespace
}  // namespace opennd::faults
