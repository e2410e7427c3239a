// SPDX-License-Identifier: MIT
// Fixture: a connector on either fabric, in any of its states.
#pragma once

#include <gtest/gtest.h>

#include <mutex>
#include <utility>
#include <vector>

#include "unit/transport/verbs/fake_ends.h"

namespace opennd::verbs {

class JournalledListener final : public ListenerSink {
public:
    explicit JournalledListener(Journal& journal) : journal_(journal) {}
    void on_request(Ref<TransportConnector> connector, ConnectionRequest request) override {
        kept = std::move(connector);
        journal_.add(format("request of {}, {} in {} out, {} octets", request.peer.text(), request.limits.inbound,
                            request.limits.outbound, request.private_data.size()));
    }

    Ref<TransportConnector> kept;  // on the service thread until the journal has the request

private:
    Journal& journal_;
};

class VerbsConnecting : public VerbsTest {
protected:
    VerbsConnecting() : VerbsTest(GetParam()) {}
    ~VerbsConnecting() override {
        if (connector_) connector_->end(Ending::give_up);
        connector_ = nullptr;
        stop_listening();
        pair_->connection = nullptr;
    }

    bool is_iwarp() const { return GetParam() == IBV_TRANSPORT_IWARP; }
    std::string established() const { return is_iwarp() ? "established over TCP" : "established"; }
    static std::vector<std::byte> data(std::size_t octets) { return std::vector<std::byte>(octets, std::byte{9}); }

    // The program's octets of a message.
    std::vector<std::byte> program_part(const std::vector<std::byte>& message) const {
        if (is_iwarp()) return message;
        const HeardPrivateData heard = without_mark(message);
        EXPECT_TRUE(heard.is_marked);
        return {heard.data.begin(), heard.data.end()};
    }

    // ---- the active side, each to the state that it names

    Ref<TransportConnector> begin(const Ref<VerbsQueuePair>& pair, PortOrigin origin) {
        return VerbsConnector::connect(owner_, device_, program_, here_, origin, there_, {5, 6}, data(40), pair);
    }
    void connect() { connector_ = begin(pair_, PortOrigin::program); }
    void request() {
        connect();
        tell(RDMA_CM_EVENT_ADDR_RESOLVED);
        tell(RDMA_CM_EVENT_ROUTE_RESOLVED);
        journal_.wait_for("connect");
        turn();
    }
    void reply(std::size_t octets = 0) {
        request();
        cm_.tell(cm_.newest(), {.type = is_iwarp() ? RDMA_CM_EVENT_ESTABLISHED : RDMA_CM_EVENT_CONNECT_RESPONSE,
                                .inbound = 4,
                                .outbound = 3,
                                .data = octets});
        turn();
    }
    void establish() {
        reply();
        connector_->complete();
        journal_.wait_for(established());
    }
    // An event for the newest id.
    void tell(rdma_cm_event_type type, int status = 0) {
        if (type == RDMA_CM_EVENT_ROUTE_RESOLVED) journal_.wait_for("resolve_route", ++routes_);
        cm_.tell(cm_.newest(), {.type = type, .status = status});
        turn();
    }

    // ---- the passive side

    void listen() {
        listener_ = make_ref<VerbsListener>(owner_, device_, sink_);
        ASSERT_TRUE(listener_->bind(here_).ok());
        ASSERT_EQ(listener_->listen(0), Status::success);
    }
    void ask(const FakeCm::Told& told) { asker_ = cm_.ask(cm_.newest(), told, here_, there_); }
    TransportConnector* guest() { return sink_->kept.get(); }
    void accept(const FakeCm::Told& told = {.type = RDMA_CM_EVENT_CONNECT_REQUEST, .inbound = 4, .outbound = 3}) {
        listen();
        ask(told);
        journal_.wait_for("request of 192.0.2.2:6000, 4 in 3 out, 0 octets", ++requests_);
        turn();
        guest()->set_sink(program_);
        guest()->accept(pair_, {2, 1}, data(100));
    }
    void tell_asker(rdma_cm_event_type type, int status = 0) {
        cm_.tell(asker_, {.type = type, .status = status});
        turn();
    }
    void stop_listening() {
        if (guest()) guest()->end(Ending::give_up);
        sink_->kept = nullptr;
        if (listener_) std::exchange(listener_, nullptr)->close();
    }

    const Ref<JournalledProgram> program_ = make_ref<JournalledProgram>(journal_);
    const Ref<JournalledPair> pair_ = make_ref<JournalledPair>(journal_, device_);
    const Ref<JournalledListener> sink_ = make_ref<JournalledListener>(journal_);
    Ref<TransportConnector> connector_;
    Ref<VerbsListener> listener_;
    rdma_cm_id* asker_ = nullptr;
    long routes_ = 0, requests_ = 0;
};

inline auto both_fabrics() { return testing::Values(IBV_TRANSPORT_IB, IBV_TRANSPORT_IWARP); }
inline std::string fabric_name(const testing::TestParamInfo<ibv_transport_type>& info) {
    return info.param == IBV_TRANSPORT_IB ? "InfiniBand" : "Iwarp";
}

}  // namespace opennd::verbs
