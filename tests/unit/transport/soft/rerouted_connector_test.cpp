// SPDX-License-Identifier: MIT
// A Connect that goes on by the next wire, where the first one has no room, and only there. The test is the wires.
#include "transport/soft/rerouted_connector.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/requirement.h"

namespace opennd::soft {
namespace {

using support::proves;

class ScriptedEnd final : public ActiveEnd {
public:
    Ref<ConnectorSink> sink;
    int asked = 0;
    std::vector<Ending> endings;

    void connect(const Address&, PortOrigin, const Address&, const ReadLimits&, std::span<const std::byte>,
                 Ref<TransportQueuePair>) override {
        ++asked;
    }
    void set_sink(Ref<ConnectorSink> to) override { sink = std::move(to); }
    void complete() override {}
    void accept(Ref<TransportQueuePair>, const ReadLimits&, std::span<const std::byte>) override {}
    void reject(std::span<const std::byte>) override {}
    void end(Ending how) override { endings.push_back(how); }
    void finish(std::chrono::milliseconds) override {}
    bool abandoned() const override { return false; }
    ConnectionPath path() const override { return {}; }
};

class FailureSink final : public ConnectorSink {
public:
    std::vector<Status> failures;
    int replies = 0;
    void on_replied(const ReadLimits&, std::span<const std::byte>) override { ++replies; }
    void on_connect_failed(Status status, std::span<const std::byte>) override { failures.push_back(status); }
    void on_established(const Carrier&) override {}
    void on_establish_failed(Status) override {}
    void on_disconnected(EndCause) override {}
    bool on_peer_finished() override { return false; }
    void on_finished(Status) override {}
};

class Rerouted : public testing::Test {
protected:
    Rerouted() { connector_->connect(Ref<ConnectorSink>(sink_), {}, PortOrigin::program, {}, {1, 1}, {}, nullptr); }
    ~Rerouted() override { first_->sink = next_->sink = nullptr; }
    void fail_first(Status status) { Ref<ConnectorSink>(first_->sink)->on_connect_failed(status, {}); }

    const Ref<ScriptedEnd> first_ = make_ref<ScriptedEnd>(), next_ = make_ref<ScriptedEnd>();
    const Ref<FailureSink> sink_ = make_ref<FailureSink>();
    const Ref<ReroutedConnector> connector_ = make_ref<ReroutedConnector>(
        Ref<ActiveEnd>(first_),
        [this](Ref<TransportQueuePair>&) -> Result<Ref<ActiveEnd>> { return Ref<ActiveEnd>(next_); });
};

TEST_F(Rerouted, GoesOnWhereTheFirstWireHasNoRoom) {
    proves("ND2-GEN-02");
    fail_first(Status::insufficient_resources);
    EXPECT_EQ(next_->asked, 1);
    EXPECT_TRUE(sink_->failures.empty());
    connector_->end(Ending::cancel);
    EXPECT_EQ(next_->endings, std::vector{Ending::cancel});
    EXPECT_TRUE(first_->endings.empty());
}

TEST_F(Rerouted, GoesOnWhereTheFirstWireHasNoMemory) {
    proves("ND2-GEN-02");
    fail_first(Status::no_memory);
    EXPECT_EQ(next_->asked, 1);
}

TEST_F(Rerouted, TellsAnyOtherFailure) {
    proves("ND2-CON-CONN-05");
    fail_first(Status::connection_refused);
    EXPECT_EQ(next_->asked, 0) << "the peer has answered";
    EXPECT_EQ(sink_->failures, std::vector{Status::connection_refused});
}

TEST_F(Rerouted, GoesOnNoMoreWhereNobodyWaits) {
    proves("ND2-CON-ACC-03");
    connector_->end(Ending::cancel);
    fail_first(Status::no_memory);
    EXPECT_EQ(next_->asked, 0);
    EXPECT_EQ(sink_->failures, std::vector{Status::no_memory});
}

}  // namespace
}  // namespace opennd::soft
