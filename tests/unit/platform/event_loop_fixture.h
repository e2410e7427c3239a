// SPDX-License-Identifier: MIT
// A loop of a test's own, and a way into its turns.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <memory>

#include "platform/thread/event_loop.h"

namespace opennd::test {

class EventLoopFixture : public testing::Test {
protected:
    // In a turn of any thread: the service thread's, while none helps.
    void run(std::function<void()> function) {
        std::promise<void> done;
        loop_->post([&] {
            function();
            done.set_value();
        });
        done.get_future().wait();
    }

    std::unique_ptr<EventLoop> loop_ = std::make_unique<EventLoop>();
};

}  // namespace opennd::test
