// SPDX-License-Identifier: MIT
//
// A process forks while its other threads are anywhere in the library: each child begins anew, uses all there is of the library that
// a process has once, and ends. A child that finds one of its parent's locks held never ends.
//
// OPENND_TEST_FORK_SECONDS=3600 runs for so long. Requirement ND2-GEN-11.
#include <gtest/gtest.h>
#include <opennd.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "faults/conversation.h"
#include "support/adapter.h"
#include "support/deadline.h"
#include "support/kernel_limits.h"
#include "support/requirement.h"
#include "support/sanitizer.h"
#include "support/status.h"

namespace opennd::faults {
namespace {

using support::Clock;

void count_line(void* context, opennd_log_level, const char*) { ++*static_cast<std::atomic<long>*>(context); }
void count_error(void* context, const opennd_error*) { ++*static_cast<std::atomic<long>*>(context); }
void count_misuse(void* context, const opennd_diagnostic*) { ++*static_cast<std::atomic<long>*>(context); }

std::atomic<long> told{0};

// Each uses one thing that a process has once: handles, memory for peers, the log and its sinks, NdStartup, the library.
void use_handles() {
    HANDLE file = nullptr;
    const support::Startup startup;
    const auto adapter = support::open_loopback_adapter();
    if (adapter->CreateOverlappedFile(&file) == ND_SUCCESS) opennd_handle_close(file);
}
void use_memory() {
    void* memory = nullptr;
    if (opennd_memory_allocate(96 << 20, &memory) == ND_SUCCESS) opennd_memory_free(memory);
}
void use_log() {
    opennd_log_write(OPENND_LOG_ERROR, "a line");
    (void)NdCheckAddress(nullptr, 0);
}
void use_sinks() {
    (void)opennd_log_sink(count_line, &told, OPENND_LOG_DEBUG);
    (void)opennd_error_sink(count_error, &told);
    (void)opennd_check_sink(count_misuse, &told);
}
void use_startup() { const support::Startup startup; }
void talk() { (void)conversation(Face::nd2)->run(); }

constexpr void (*kUses[])() = {use_handles, use_memory, use_log, use_sinks, use_startup, talk};

// Uses all, as its parent did.
[[noreturn]] void be_child() {
    for (const auto use : kUses) use();
    _exit(conversation(Face::nd2)->run() ? 0 : 1);
}

enum class End { good, wrong, hangs };

End end_of(pid_t child) {
    int status = 0;
    const bool ended = support::wait_until([&] { return waitpid(child, &status, WNOHANG) == child; });
    if (!ended) {
        ::kill(child, SIGKILL);
        waitpid(child, &status, 0);
        return End::hangs;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? End::good : End::wrong;
}

class ForkAtAnyTime : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (support::kThreadSanitizer || support::kAddressSanitizer)
            GTEST_SKIP() << "the parent's threads may hold the sanitizer's locks";
        if (const std::string reason = support::starts_no_threads_behind_fork(); !reason.empty())
            GTEST_SKIP() << reason;
        support::require(opennd_transport_select(GetParam()), ND_SUCCESS, "opennd_transport_select");
        use_sinks();
        for (const auto use : kUses)
            threads_.emplace_back([this, use] {
                while (!over_.load()) use();
            });
    }
    void TearDown() override {
        over_.store(true);
        for (std::thread& each : threads_) each.join();
        (void)opennd_log_sink(nullptr, nullptr, OPENND_LOG_ERROR);
        (void)opennd_error_sink(nullptr, nullptr);
        (void)opennd_check_sink(nullptr, nullptr);
    }
    static std::chrono::seconds long_run() {
        const char* const seconds = std::getenv("OPENND_TEST_FORK_SECONDS");
        return std::chrono::seconds(seconds ? std::atol(seconds) : 0);
    }

private:
    std::atomic<bool> over_{false};
    std::vector<std::thread> threads_;
};

TEST_P(ForkAtAnyTime, EachChildBeginsAnewAndEnds) {
    support::proves("ND2-GEN-11");
    constexpr int kLeast = 24;
    const auto until = Clock::now() + long_run();
    int children = 0, hanging = 0, wrong = 0;
    while (children < kLeast || Clock::now() < until) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) be_child();
        ++children;
        const End end = end_of(child);
        hanging += end == End::hangs;
        wrong += end == End::wrong;
        if (hanging >= 3) break;  // each takes as long as a deadline
    }
    EXPECT_EQ(hanging, 0) << "of " << children << " children";
    EXPECT_EQ(wrong, 0) << "of " << children << " children";
}

INSTANTIATE_TEST_SUITE_P(, ForkAtAnyTime, testing::Values("loopback", "shm", "iwarp"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace opennd::faults
