// SPDX-License-Identifier: MIT
//
// Connecting, and the loop of a thread: post, poll, and now and then sleep until the queue says something.
#include "conformance/traffic/party.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "conformance/vocabulary/handshake.h"

namespace opennd::conformance::traffic {
namespace {

void need(Outcome actual, Outcome expected) {
    if (actual != expected) throw std::runtime_error(std::string("connecting: ") + name_of(actual));
}

}  // namespace

Party::Party(Driver& driver, support::MemoryKind memory, std::size_t flows)
    : adapter_(driver.open_adapter()),
      queue_(adapter_->create_completion_queue(64)),
      memory_(flows * kFlowBytes, memory),
      region_(registered(*adapter_, memory_.data(), memory_.size(), kAllRights)) {}

void Party::add_flow(std::size_t index, std::uint64_t own_seed, std::uint64_t peer_seed, std::size_t steps) {
    flows_.emplace_back(own_seed, peer_seed, steps, memory_.bytes(index * kFlowBytes, kFlowBytes), *region_);
}

Connector& Party::attach(std::size_t index, Flow& peer) {
    QueuePairOptions options = kQueuePairs;
    options.context = index;
    flows_[index].attach(adapter_->create_queue_pair(*queue_, *queue_, options), peer);
    connectors_.push_back(adapter_->create_connector());
    return *connectors_.back();
}

void Party::connect(Party& active, Party& passive, std::uint64_t seed, std::size_t steps) {
    const auto listener = listening(*passive.adapter_);
    for (std::size_t i = 0; (i + 1) * kFlowBytes <= active.memory_.size(); ++i) {
        const std::uint64_t one = seed + 2 * i, other = seed + 2 * i + 1;
        active.add_flow(i, one, other, steps);
        passive.add_flow(i, other, one, steps);
        Flow& from = active.flows_[i];
        Flow& to = passive.flows_[i];
        Connector& caller = active.attach(i, to);
        Connector& callee = passive.attach(i, from);
        const Operation request = listener->get_request(callee);
        need(caller.bind(local_address()), Outcome::success);
        const Operation connect = caller.connect(from.queue_pair(), address_of(*listener), {}, {});
        need(request.wait(), Outcome::success);
        const Operation accept = callee.accept(to.queue_pair(), {}, {});
        need(connect.wait(), Outcome::success);
        need(caller.complete_connect().wait(), Outcome::success);
        need(accept.wait(), Outcome::success);
        from.open();
        to.open();
    }
}

void Party::run(std::uint64_t seed, std::chrono::seconds patience, std::atomic<bool>& failed) {
    Random random(seed);
    auto last_progress = support::Clock::now();
    for (unsigned idle = 0; !done() && !failed; ++idle) {
        bool any = false;
        for (Flow& flow : flows_) any |= flow.play();
        const auto completions = queue_->poll(1 + random() % 8);
        for (const Completion& completion : completions) flows_[completion.queue_pair].complete(completion);
        if (testing::Test::HasFailure()) failed = true;
        if (any || !completions.empty()) {
            idle = 0;
            last_progress = support::Clock::now();
        } else if (idle % 256 == 255) {
            if (random() % 2 == 0) doze();
            if (support::Clock::now() - last_progress > patience) {
                ADD_FAILURE() << "nothing happened for " << patience.count() << " s";
                failed = true;
            }
        }
    }
}

bool Party::done() const {
    return std::all_of(flows_.begin(), flows_.end(), [](const Flow& flow) { return flow.done(); });
}

// Lets the service thread take over, for a moment: a flow may also wait for a receive of its peer, and no queue reports
// that.
void Party::doze() {
    if (!armed_ || armed_->now() != Outcome::pending) armed_ = queue_->notify(NotifyType::any);
    (void)armed_->wait(milliseconds{2});
}

void Party::check_the_end() {
    for (const Flow& flow : flows_) flow.check_windows();
    EXPECT_TRUE(queue_->poll(1).empty()) << "a result too many";
    for (const auto& connector : connectors_) EXPECT_EQ(connector->disconnect().wait(), Outcome::success);
    EXPECT_TRUE(queue_->poll(1).empty()) << "every receive was for a message";
}

}  // namespace opennd::conformance::traffic
