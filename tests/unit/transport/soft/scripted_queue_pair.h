// SPDX-License-Identifier: MIT
// A queue pair of the software RNIC over a wire that the test scripts.
#pragma once

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "scripted_channel.h"
#include "transport/soft/progress/polled_queue_pair.h"
#include "unit/transport/connected_pair.h"

namespace opennd::test {

class ScriptedQueuePair : public testing::Test {
protected:
    ScriptedQueuePair() {
        std::vector<std::unique_ptr<soft::Wire>> wires;
        wires.push_back(std::make_unique<loopback::LoopbackWire>());
        transport_ = std::make_unique<soft::SoftTransport>(loop_, mappable_, std::move(wires));
        adapter_ = transport_->open(Interface{}, Face::nd2).take();
        completions_ = adapter_->create_completion_queue(8, NotifyRule::level, events_).take();
        const Ref<TransportQueuePair> made =
            adapter_->create_queue_pair({{4, 4, 2, 2, 0}, completions_, completions_, nullptr}).take();
        queue_pair_ = Ref<soft::PolledQueuePair>(static_cast<soft::PolledQueuePair*>(made.get()));
        queue_pair_->attach(channel_, nullptr, {1, 1});
    }
    ~ScriptedQueuePair() override {
        queue_pair_->close();
        completions_->close();
    }

    std::size_t poll() {
        Completion completion;
        return completions_->poll({&completion, 1});
    }

    EventLoop loop_;
    MappableMemory mappable_;
    std::unique_ptr<soft::SoftTransport> transport_;
    Ref<TransportAdapter> adapter_;
    CountingSink events_;
    Ref<TransportCompletionQueue> completions_;
    Ref<soft::PolledQueuePair> queue_pair_;
    Ref<ScriptedChannel> channel_ = make_ref<ScriptedChannel>();
};

}  // namespace opennd::test
