// SPDX-License-Identifier: MIT
//
// Holds up the callback thread of a side's adapter instance, so that callbacks that become due meanwhile wait.
#pragma once

#include <atomic>
#include <thread>

#include "ndk/consumer/side.h"

namespace opennd::ndk_test {

// By a callback of its own, of a connection that nobody takes.
class HeldThread {
public:
    explicit HeldThread(Side& side) : connector_(side.adapter.create_connector()) {
        EXPECT_STATUS(side.domain->Dispatch->NdkCreateQp(side.domain.get(), side.received.get(), side.initiated.get(),
                                                         nullptr, 1, 1, 1, 1, 0, nullptr, nullptr, queue_pair_.out()),
                      STATUS_SUCCESS);
        Loopback from, nobody(1);
        EXPECT_STATUS(
            connector_->Dispatch->NdkConnect(connector_.get(), queue_pair_.get(), from.get(), from.length(),
                                             nobody.get(), nobody.length(), 1, 1, nullptr, 0, on_refusal, this),
            STATUS_PENDING);
        EXPECT_TRUE(support::wait_until([this] { return held_.load(); }));
    }
    HeldThread(const HeldThread&) = delete;
    HeldThread& operator=(const HeldThread&) = delete;
    ~HeldThread() { let_go(); }

    // Lets the waiting thread run now; returns when it has gone on.
    void let_go() {
        let_go_ = true;
        EXPECT_TRUE(support::wait_until([this] { return gone_on_.load(); }));
    }

private:
    static VOID on_refusal(PVOID self, NTSTATUS) {
        auto& held = *static_cast<HeldThread*>(self);
        held.held_ = true;
        while (!held.let_go_) std::this_thread::yield();
        held.gone_on_ = true;
    }

    std::atomic<bool> held_ = false, let_go_ = false, gone_on_ = false;
    Owned<NDK_QP> queue_pair_;
    Owned<NDK_CONNECTOR> connector_;
};

}  // namespace opennd::ndk_test
