// SPDX-License-Identifier: MIT
//
// A child of fork cannot use the objects that it inherited, and its attempts do not affect its parent.
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "ndk/consumer/side.h"
#include "support/kernel_limits.h"
#include "support/sanitizer.h"

namespace opennd::ndk_test {
namespace {

// The number of the first step that is not as it should be; 0: all are. Nothing of gtest is used in a child.
class Steps {
public:
    void need(bool right) {
        ++step_;
        if (!right && wrong_ == 0) wrong_ = step_;
    }
    void need(NTSTATUS actual, NTSTATUS expected) { need(actual == expected); }
    int wrong() const { return wrong_; }

private:
    int step_ = 0;
    int wrong_ = 0;
};

int wrong_in_child(const std::function<void(Steps&)>& work) {
    const pid_t child = fork();
    if (child == 0) {
        Steps steps;
        work(steps);
        _exit(steps.wrong());
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void use_inherited(Pair& pair, Steps& steps) {
    Side& side = pair.a;
    steps.need(side.send(1, 0, 8), STATUS_DEVICE_REMOVED);
    steps.need(side.receive(2, 0, 8), STATUS_DEVICE_REMOVED);
    side.queue_pair->Dispatch->NdkFlush(side.queue_pair.get());
    NDK_RESULT_EX result{};
    steps.need(side.received->Dispatch->NdkGetCqResultsEx(side.received.get(), &result, 1) == 0);
    side.received->Dispatch->NdkArmCq(side.received.get(), NDK_CQ_NOTIFY_ANY);
    steps.need(side.region->Dispatch->NdkGetRemoteTokenFromMr(side.region.get()) == 0);
    NDK_CQ* queue = nullptr;
    steps.need(
        side.adapter.call().NdkCreateCq(side.adapter.get(), 8, nullptr, nullptr, nullptr, nullptr, nullptr, &queue),
        STATUS_DEVICE_REMOVED);
    steps.need(queue == nullptr);
    steps.need(side.connector->Dispatch->NdkDisconnect(side.connector.get(), nullptr, nullptr), STATUS_DEVICE_REMOVED);
    CHAR name[16], path[16];
    steps.need(opennd_ndk_connection_transport(side.connector.get(), name, sizeof name, path, sizeof path),
               STATUS_DEVICE_REMOVED);
    steps.need(side.queue_pair->Dispatch->NdkCloseQp(&side.queue_pair->Header, nullptr, nullptr), STATUS_SUCCESS);
    opennd_ndk_close_adapter(side.adapter.get());
    opennd_ndk_close_adapter(side.adapter.get());
}

class NdkFork : public NdkTest {};
OPENND_OVER_EACH_TRANSPORT(NdkFork);

TEST_P(NdkFork, InheritedObjectsAreDeadInTheChildAndAliveInTheParent) {
    proves("NDK-GEN-18");
    Pair pair;
    EXPECT_EQ(wrong_in_child([&](Steps& steps) { use_inherited(pair, steps); }), 0);
    EXPECT_STATUS(pair.b.receive(1, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(pair.a.send(2, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair.b.received.get()).Status, STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair.a.initiated.get()).Status, STATUS_SUCCESS);
}

TEST_P(NdkFork, AChildsChildKnowsWhatIsItsOwn) {
    proves("NDK-GEN-18");
    if (support::kThreadSanitizer) GTEST_SKIP() << "the thread sanitizer follows no child that starts threads";
    if (support::kAddressSanitizer) GTEST_SKIP() << "the parent's threads, which begin, may hold the sanitizer's locks";
    if (const std::string reason = support::starts_no_threads_behind_fork(); !reason.empty()) GTEST_SKIP() << reason;
    const Adapter parents;
    EXPECT_EQ(wrong_in_child([&](Steps& steps) {
                  const Adapter own;
                  NDK_CQ* queue = nullptr;
                  const auto create = [&](const Adapter& adapter) {
                      return adapter.call().NdkCreateCq(adapter.get(), 8, nullptr, nullptr, nullptr, nullptr, nullptr,
                                                        &queue);
                  };
                  steps.need(create(own), STATUS_SUCCESS);
                  steps.need(create(parents), STATUS_DEVICE_REMOVED);
                  steps.need(wrong_in_child([&](Steps& inner) {
                                 inner.need(create(own), STATUS_DEVICE_REMOVED);
                                 inner.need(create(parents), STATUS_DEVICE_REMOVED);
                             }) == 0);
                  steps.need(queue->Dispatch->NdkCloseCq(&queue->Header, nullptr, nullptr), STATUS_SUCCESS);
              }),
              0);
    EXPECT_NE(parents.create_completion_queue(8).get(), nullptr);
}

}  // namespace
}  // namespace opennd::ndk_test
