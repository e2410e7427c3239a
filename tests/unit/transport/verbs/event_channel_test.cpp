// SPDX-License-Identifier: MIT
// rdma_cm's events: copied, acknowledged, handed on; and the end of an id.
#include "transport/verbs/connection/event_channel.h"

#include <gtest/gtest.h>

#include "base/explanation.h"
#include "unit/transport/verbs/fake_ends.h"

namespace opennd::verbs {
namespace {

class Listening final : public CmEventSink {
public:
    explicit Listening(Journal& journal) : journal_(journal) {}
    void on_event(const CmEvent& event) override {
        bool intact = true;
        for (const std::byte octet : event.private_data()) intact = intact && octet == std::byte{7};
        journal_.add(format("event {} status {}, {} octets{}", static_cast<int>(event.type), event.status,
                            event.private_data().size(), intact ? "" : ", spoilt"));
    }
    void on_request(Ref<ConnectionId> id, const CmEvent& event) override {
        journal_.add(format("request from {}, {} octets", id->peer().text(), event.private_data().size()));
        kept = std::move(id);
    }

    Ref<ConnectionId> kept;

private:
    Journal& journal_;
};

class VerbsEventChannel : public VerbsTest {
protected:
    VerbsEventChannel() : VerbsTest(IBV_TRANSPORT_IB) {}

    Ref<Listening> listening_ = make_ref<Listening>(journal_);
    Ref<ConnectionId> id_ = ConnectionId::create(*channel_, listening_).take();
};

TEST_F(VerbsEventChannel, HandsOnACopyOfAnEventThatIsAcknowledged) {
    cm_.tell(id_->get(), {.type = RDMA_CM_EVENT_REJECTED, .status = 28, .data = 148});
    journal_.wait_for(format("event {} status 28, 148 octets", static_cast<int>(RDMA_CM_EVENT_REJECTED)));
}

TEST_F(VerbsEventChannel, TakesMoreEventsThanOneTurnDoes) {
    for (int i = 0; i < 200; ++i) cm_.tell(id_->get(), {.type = RDMA_CM_EVENT_TIMEWAIT_EXIT, .status = i});
    journal_.wait_for(format("event {} status 199, 0 octets", static_cast<int>(RDMA_CM_EVENT_TIMEWAIT_EXIT)));
    EXPECT_EQ(journal_.lines().size(), 202u);  // and those of two calls
}

TEST_F(VerbsEventChannel, GivesARequestAnIdOfItsOwn) {
    cm_.ask(id_->get(), {.type = RDMA_CM_EVENT_CONNECT_REQUEST, .data = 56}, here_, there_);
    journal_.wait_for("request from 192.0.2.2:6000, 56 octets");
    turn();
    rdma_cm_id* const asked = listening_->kept->get();
    const auto other = make_ref<Listening>(journal_);
    listening_->kept->set_sink(other);
    cm_.tell(asked, {.type = RDMA_CM_EVENT_ESTABLISHED});
    journal_.wait_for(format("event {} status 0, 0 octets", static_cast<int>(RDMA_CM_EVENT_ESTABLISHED)));
    EXPECT_EQ(cm_.ids(), 2u);
    listening_->kept = nullptr;
    journal_.wait_for("destroy_id");
}

TEST_F(VerbsEventChannel, RefusesARequestThatNobodyReceives) {
    id_->set_sink(nullptr);
    cm_.ask(id_->get(), {.type = RDMA_CM_EVENT_CONNECT_REQUEST}, here_, there_);
    journal_.wait_for("destroy_id");
    EXPECT_EQ(cm_.ids(), 1u);
}

TEST_F(VerbsEventChannel, TellsNothingToAReceiverThatWasTakenAway) {
    id_->set_sink(nullptr);
    cm_.tell(id_->get(), {.type = RDMA_CM_EVENT_DISCONNECTED});
    turn();
    turn();
    EXPECT_EQ(journal_.lines(), (std::vector<std::string>{"create_event_channel", "create_id"}));
}

TEST_F(VerbsEventChannel, DestroysAnIdAfterTheCallThatIsUnderWay) {
    cm_.hold("connect");
    rdma_conn_param none{};
    reaper_->run([this, none, id = id_]() mutable { (void)channel_->rdma().connect(id->get(), &none); });
    journal_.wait_for("connect");
    id_ = nullptr;
    turn();
    EXPECT_FALSE(journal_.has("destroy_id"));
    cm_.let_go();
    journal_.wait_for("destroy_id");
}

TEST_F(VerbsEventChannel, DestroysAnIdAtOnceWhereItsPortMustBeFree) {
    id_->destroy();
    EXPECT_TRUE(journal_.has("destroy_id"));
    EXPECT_EQ(cm_.ids(), 0u);
}

TEST_F(VerbsEventChannel, ExplainsThatItMayNotOpenTheDeviceFile) {
    cm_.fail("create_id", EACCES);
    EXPECT_EQ(ConnectionId::create(*channel_, listening_).status(), Status::not_supported);
    EXPECT_NE(std::string_view(last_failure().limit).find("/dev/infiniband/rdma_cm"), std::string_view::npos);
}

}  // namespace
}  // namespace opennd::verbs
