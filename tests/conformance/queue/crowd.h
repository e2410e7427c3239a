// SPDX-License-Identifier: MIT
// Many connections on one completion queue, and messages from one end of them to the other.
#pragma once

#include <memory>
#include <numeric>
#include <vector>

#include "conformance/vocabulary/fixture.h"

namespace opennd::conformance {

// One end of many connections, which complete in one queue; or their Sends complete in another one, or in one each.
class CrowdSide {
public:
    static constexpr std::uint32_t kDepth = 4;
    enum class Sends { among_receives, apart, each_apart };

    CrowdSide(Driver& driver, std::size_t connections, Sends sends = Sends::among_receives)
        : adapter_(driver.open_adapter()),
          sends_(sends),
          results(adapter_->create_completion_queue(static_cast<std::uint32_t>(2 * kDepth * connections))) {
        if (sends == Sends::apart)
            of_sends_.push_back(
                adapter_->create_completion_queue(static_cast<std::uint32_t>(2 * kDepth * connections)));
    }

    QueuePair& add() {
        const QueuePairOptions options{
            .receive_depth = kDepth, .initiator_depth = kDepth, .context = queue_pairs_.size() + 1};
        if (sends_ == Sends::each_apart) of_sends_.push_back(adapter_->create_completion_queue(2 * kDepth));
        queue_pairs_.push_back(adapter_->create_queue_pair(*results, results_of_sends(queue_pairs_.size()), options));
        connectors_.push_back(adapter_->create_connector());
        return *queue_pairs_.back();
    }
    void drop(std::size_t index) {
        connectors_[index].reset();
        queue_pairs_[index].reset();
    }
    CompletionQueue& results_of_sends(std::size_t index) {
        if (sends_ == Sends::among_receives) return *results;
        return sends_ == Sends::apart ? *of_sends_.front() : *of_sends_[index];
    }
    Adapter& adapter() { return *adapter_; }
    QueuePair& operator[](std::size_t index) { return *queue_pairs_[index]; }
    Connector& connector(std::size_t index) { return *connectors_[index]; }
    Connector& newest_connector() { return *connectors_.back(); }
    std::size_t size() const { return queue_pairs_.size(); }

private:
    std::unique_ptr<Adapter> adapter_;
    const Sends sends_;

public:
    std::unique_ptr<CompletionQueue> results;

private:
    std::vector<std::unique_ptr<CompletionQueue>> of_sends_;
    std::vector<std::unique_ptr<QueuePair>> queue_pairs_;
    std::vector<std::unique_ptr<Connector>> connectors_;
};

class CrowdTest : public ConformanceTest {
protected:
    void connect(std::size_t count, CrowdSide::Sends sends = CrowdSide::Sends::among_receives) {
        a_ = std::make_unique<CrowdSide>(driver(), count, sends);
        b_ = std::make_unique<CrowdSide>(driver(), count, sends);
        listener_ = listening(b_->adapter());
        for (std::size_t i = 0; i < count && !HasFatalFailure(); ++i) connect_one_more();
    }
    void connect_one_more() {
        QueuePair& active = a_->add();
        QueuePair& passive = b_->add();
        const Operation request = listener_->get_request(b_->newest_connector());
        ASSERT_EQ(a_->newest_connector().bind(local_address()), Outcome::success);
        const Operation connect = a_->newest_connector().connect(active, address_of(*listener_), {}, {});
        ASSERT_TRUE(wait_until([&] { return request.now() != Outcome::pending || connect.now() != Outcome::pending; }));
        ASSERT_TRUE(connect.now() == Outcome::pending || connect.now() == Outcome::success) << connect.now();
        ASSERT_EQ(request.wait(), Outcome::success);
        const Operation accept = b_->newest_connector().accept(passive, {}, {});
        ASSERT_EQ(connect.wait(), Outcome::success);
        ASSERT_EQ(a_->newest_connector().complete_connect().wait(), Outcome::success);
        ASSERT_EQ(accept.wait(), Outcome::success);
    }

    // Message `tag` from a to b on this connection.
    void send(std::size_t index, Tag tag) {
        ASSERT_EQ((*b_)[index].receive(tag, {}), Outcome::success);
        ASSERT_EQ((*a_)[index].send(tag, {}, kNoFlags), Outcome::success);
    }
    // Results of `kind`, each of the connection that its tag names, counted by connection.
    static void count(const std::vector<Completion>& results, RequestKind kind, std::vector<int>& seen) {
        for (const Completion& each : results) {
            EXPECT_EQ(each.outcome, Outcome::success) << each;
            EXPECT_EQ(each.kind, kind);
            EXPECT_EQ(each.request, each.queue_pair);
            if (each.queue_pair != 0 && each.queue_pair <= seen.size()) ++seen[each.queue_pair - 1];
        }
    }
    static int total(const std::vector<int>& seen) { return std::accumulate(seen.begin(), seen.end(), 0); }
    // Polls for as many results, with room for `most` at a time.
    static void poll_for(CompletionQueue& queue, RequestKind kind, std::size_t wanted, std::size_t most,
                         std::vector<int>& seen) {
        const auto before = static_cast<std::size_t>(total(seen));
        EXPECT_TRUE(wait_until([&] {
            count(queue.poll(most), kind, seen);
            return static_cast<std::size_t>(total(seen)) - before >= wanted;
        })) << total(seen)
            << " results";
    }
    // A round by a program that sleeps until it is notified.
    static void take_when_notified(CompletionQueue& queue, RequestKind kind, std::size_t wanted,
                                   std::vector<int>& seen) {
        const auto before = static_cast<std::size_t>(total(seen));
        while (static_cast<std::size_t>(total(seen)) - before < wanted) {
            const Operation any = queue.notify(NotifyType::any);
            ASSERT_EQ(any.wait(), Outcome::success) << total(seen) << " results";
            for (auto results = queue.poll(8); !results.empty(); results = queue.poll(8)) count(results, kind, seen);
        }
    }

    std::unique_ptr<CrowdSide> a_, b_;
    std::unique_ptr<Listener> listener_;
};

}  // namespace opennd::conformance
