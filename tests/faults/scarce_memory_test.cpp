// SPDX-License-Identifier: MIT
//
// Memory is scarce: allocations of the library fail by chance, on every thread. Two sides do all there is to do through a face, and the
// process does not end. Every request ends, also one that had no memory on another thread than its own, with a status of its method's
// table; a conversation is good again when memory is back.
//
// OPENND_TEST_SCARCE_SECONDS=3600 runs each for so long, from seeds of the clock. Requirements ND2-GEN-02, ND1-GEN-13, NDK-GEN-06.
#include <gtest/gtest.h>
#include <opennd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "faults/child.h"
#include "faults/conversation.h"
#include "faults/failing_allocations.h"
#include "support/adapter.h"
#include "support/deadline.h"
#include "support/kernel_limits.h"
#include "support/requirement.h"
#include "support/sanitizer.h"
#include "support/status.h"

namespace opennd::faults {
namespace {

using support::Clock;

constexpr const char* kFaces[] = {"nd2", "nd1", "ndk"};
// What a failed allocation has ended does not come.
constexpr support::milliseconds kPatience{100};
// Often within a conversation, so that it ends early; and about once in it.
constexpr unsigned kOneIn[] = {30, 300};
constexpr int kConversations = 3;

// The seed of a run that found something; 0: none is named.
std::uint64_t named_seed() {
    const char* const seed = std::getenv("OPENND_TEST_SCARCE_SEED");
    return seed ? std::strtoull(seed, nullptr, 10) : 0;
}

std::chrono::seconds long_run() {
    const char* const seconds = std::getenv("OPENND_TEST_SCARCE_SECONDS");
    return std::chrono::seconds(seconds ? std::atol(seconds) : 0);
}

// In a child, which a failure may end. False: there were findings.
bool goes_on_without_memory(Face face, std::uint64_t seed) {
    bool good = conversation(face)->run();
    for (const unsigned one_in : kOneIn) {
        long failures = 0;
        for (int i = 0; i < kConversations; ++i) {
            const auto scarce = conversation(face);
            scarce->memory_may_be_missing();
            const ScarceMemory memory(one_in, seed * kConversations + static_cast<unsigned>(i));
            scarce->run(kPatience);
            failures = memory.failures();
            good = good && scarce->findings().empty();
            for (const std::string& finding : scarce->findings())
                std::cerr << "seed " << seed << ", 1 in " << one_in << ": " << finding << '\n';
        }
        const auto next = conversation(face);
        if (next->run()) continue;
        good = false;
        std::cerr << "seed " << seed << ", 1 in " << one_in << ", " << failures << " failures: what comes next fails\n";
        for (const std::string& finding : next->findings()) std::cerr << "  " << finding << '\n';
    }
    return good;
}

std::string end_of(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child) return "unknown";
    if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? "" : "findings";
}

std::string name_of_combination(const testing::TestParamInfo<std::tuple<Face, const char*>>& of) {
    return std::string(kFaces[static_cast<int>(std::get<0>(of.param))]) + "_" + std::get<1>(of.param);
}

class ScarceMemoryTest : public testing::TestWithParam<std::tuple<Face, const char*>> {
protected:
    void SetUp() override {
        if (const std::string reason = support::starts_no_threads_behind_fork(); !reason.empty())
            GTEST_SKIP() << reason;
    }
};

TEST_P(ScarceMemoryTest, EndsEveryRequestAndNoProcess) {
    support::proves("ND2-GEN-02", "ND1-GEN-13", "ND1-GEN-14", "NDK-GEN-06");
    const auto [face, transport] = GetParam();
    ASSERT_EQ(opennd_transport_select(transport), ND_SUCCESS);
    constexpr std::uint64_t kSeeds = 4;
    const std::uint64_t fresh =
        long_run().count() == 0 ? 1 : static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
    const std::uint64_t first = named_seed() != 0 ? named_seed() : fresh;
    const auto until = Clock::now() + long_run();
    for (std::uint64_t seed = first; seed < first + kSeeds || Clock::now() < until; ++seed) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            _exit(goes_on_without_memory(face, seed) ? 0 : 1);
        }
        EXPECT_EQ(end_of(child), "") << "seed " << seed;
    }
}

// In a child, which asks itself, so that allocations fail on the thread that answers and on the one that asks. False: an answer is not
// whole although there is memory again.
bool answers_without_memory() {
    const support::Startup startup;
    const SocketAddress address = support::loopback_address();
    support::ComPtr<IND2Adapter> adapter;
    if (NdOpenAdapter(IID_IND2Adapter, support::as_sockaddr(address), sizeof address, adapter.out()) != ND_SUCCESS)
        return false;
    const auto process = static_cast<ULONG>(::getpid());
    std::vector<char> text(1 << 20);
    SIZE_T bytes = 0;
    const auto answers = [&](auto* question) {
        return question(process, text.data(), text.size(), &bytes) == ND_SUCCESS && text[0] == '{' &&
               text[bytes - 2] == '}';
    };
    const auto answers_all = [&] {
        return answers(opennd_process_report) && answers(opennd_process_objects) && answers(opennd_process_events);
    };
    constexpr std::uint64_t kQuestions = 100;
    for (std::uint64_t seed = 0; seed < kQuestions; ++seed) {
        const ScarceMemory memory(kOneIn[seed % std::size(kOneIn)], seed);
        (void)answers_all();
    }
    return answers_all();
}

TEST(InspectionWithoutMemory, EndsNoProcessAndLaterAnswersWhole) {
    support::proves("ND2-GEN-02");
    if (support::kThreadSanitizer) GTEST_SKIP() << "the thread sanitizer follows no child that starts threads";
    EXPECT_TRUE(in_child(answers_without_memory));
}

INSTANTIATE_TEST_SUITE_P(, ScarceMemoryTest,
                         testing::Combine(testing::Values(Face::nd2, Face::nd1, Face::ndk),
                                          testing::Values("loopback", "shm", "iwarp")),
                         name_of_combination);

}  // namespace
}  // namespace opennd::faults
