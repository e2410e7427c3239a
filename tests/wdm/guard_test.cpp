// SPDX-License-Identifier: MIT
// The guard between a consumer and a provider: every rule of NDK objects that it looks after, broken on purpose.
#include <kernel/guard.h>

#include "support/requirement.h"
#include "wdm/fake_provider.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

int callbacks;
KIRQL callback_irql;
NTSTATUS callback_status;
void* callback_object;

void note(NTSTATUS status, void* object) {
    ++callbacks;
    callback_irql = KeGetCurrentIrql();
    callback_status = status;
    callback_object = object;
}

VOID created(PVOID, NTSTATUS status, NDK_OBJECT_HEADER* object) { note(status, object); }
VOID requested(PVOID, NTSTATUS status) { note(status, nullptr); }
VOID closed(PVOID) { note(STATUS_SUCCESS, nullptr); }
VOID notified(PVOID, NTSTATUS status) { note(status, nullptr); }
VOID disconnected(PVOID context) { note(STATUS_SUCCESS, context); }
VOID connected(PVOID context, NDK_CONNECTOR* connector) {
    note(STATUS_SUCCESS, connector);
    *static_cast<NDK_CONNECTOR**>(context) = connector;
}
VOID drains_and_arms(PVOID, NTSTATUS) {
    NDK_CQ* const cq = static_cast<NDK_CQ*>(callback_object);
    (void)cq->Dispatch->NdkGetCqResults(cq, nullptr, 0);
    cq->Dispatch->NdkArmCq(cq, NDK_CQ_NOTIFY_ANY);
}
VOID returns_lowered(PVOID, NTSTATUS) { KeLowerIrql(PASSIVE_LEVEL); }

class Guard : public testing::Test {
protected:
    Guard() {
        callbacks = 0;
        EXPECT_TRUE(opennd_wdm_guard_adapter(adapter_));
    }
    ~Guard() override {
        opennd_wdm_guard_closing(adapter_);
        opennd_wdm_guard_closed(adapter_);
        EXPECT_EQ(opennd_wdm_report_leaks(), 0u);
    }

    NDK_CQ* make_cq(NDK_FN_CQ_NOTIFICATION_CALLBACK notification = notified) {
        NDK_CQ* cq = nullptr;
        EXPECT_EQ(adapter_->Dispatch->NdkCreateCq(adapter_, 8, notification, this, nullptr, created, nullptr, &cq),
                  STATUS_SUCCESS);
        return cq;
    }

    NDK_MR* make_mr() {
        NDK_PD* pd = nullptr;
        NDK_MR* mr = nullptr;
        EXPECT_EQ(adapter_->Dispatch->NdkCreatePd(adapter_, created, nullptr, &pd), STATUS_SUCCESS);
        EXPECT_EQ(pd->Dispatch->NdkCreateMr(pd, FALSE, created, nullptr, &mr), STATUS_SUCCESS);
        EXPECT_EQ(pd->Dispatch->NdkClosePd(&pd->Header, closed, nullptr), STATUS_SUCCESS);
        return mr;
    }

    NTSTATUS close(NDK_CQ* cq) { return cq->Dispatch->NdkCloseCq(&cq->Header, closed, nullptr); }
    NTSTATUS close(NDK_MR* mr) { return mr->Dispatch->NdkCloseMr(&mr->Header, closed, nullptr); }

    Violations violations_;
    FakeProvider provider_;
    NDK_ADAPTER* const adapter_ = provider_.adapter();
};

TEST_F(Guard, LetsWhatIsRightPass) {
    support::proves("NDK-GEN-14");
    NDK_CQ* const cq = make_cq();
    ASSERT_EQ(cq, &provider_.cq);
    cq->Dispatch->NdkArmCq(cq, NDK_CQ_NOTIFY_ANY);
    EXPECT_EQ(cq->Dispatch->NdkGetCqResults(cq, nullptr, 0), 3u);
    provider_.notification(provider_.notification_context, STATUS_CANCELLED);
    EXPECT_EQ(callbacks, 1);
    EXPECT_EQ(callback_status, STATUS_CANCELLED);
    EXPECT_EQ(callback_irql, DISPATCH_LEVEL);
    EXPECT_EQ(KeGetCurrentIrql(), PASSIVE_LEVEL);
    EXPECT_EQ(close(cq), STATUS_SUCCESS);
    EXPECT_EQ(callbacks, 1) << "an inline close has no completion";
    EXPECT_TRUE(violations_.were_none());
}

TEST_F(Guard, TakesWhatIsMadeLater) {
    provider_.pends = true;
    NDK_CQ* cq = nullptr;
    EXPECT_EQ(adapter_->Dispatch->NdkCreateCq(adapter_, 8, nullptr, nullptr, nullptr, created, nullptr, &cq),
              STATUS_PENDING);
    provider_.end();
    EXPECT_EQ(callback_object, &provider_.cq.Header);
    cq = &provider_.cq;
    EXPECT_EQ(close(cq), STATUS_PENDING);
    cq->Dispatch->NdkArmCq(cq, NDK_CQ_NOTIFY_ANY);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_CLOSED, "NDK_CQ", cq));
    EXPECT_EQ(provider_.calls, 1);
    provider_.end();
    EXPECT_EQ(callbacks, 2);
    EXPECT_TRUE(violations_.were_none());
}

TEST_F(Guard, KeepsNothingOfWhatWasNotMade) {
    provider_.request_status = STATUS_INSUFFICIENT_RESOURCES;
    NDK_PD* pd = nullptr;
    EXPECT_EQ(adapter_->Dispatch->NdkCreatePd(adapter_, created, nullptr, &pd), STATUS_INSUFFICIENT_RESOURCES);
    provider_.pends = true;
    EXPECT_EQ(adapter_->Dispatch->NdkCreatePd(adapter_, created, nullptr, &pd), STATUS_PENDING);
    provider_.end();
    EXPECT_EQ(callback_status, STATUS_INSUFFICIENT_RESOURCES);
    EXPECT_EQ(callback_object, nullptr);
}

TEST_F(Guard, ReportsASecondClose) {
    NDK_CQ* const cq = make_cq();
    provider_.pends = true;
    EXPECT_EQ(close(cq), STATUS_PENDING);
    EXPECT_EQ(close(cq), STATUS_SUCCESS);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_CLOSED, "NDK_CQ", cq));
    EXPECT_EQ(provider_.closes, 1);
    provider_.end();
    EXPECT_EQ(callbacks, 1);
}

TEST_F(Guard, ReportsCallsOnceACloseHasBegun) {
    support::proves("NDK-GEN-09");
    NDK_MR* const mr = make_mr();
    provider_.pends = true;
    EXPECT_EQ(close(mr), STATUS_PENDING);
    const int before = provider_.calls;
    EXPECT_EQ(mr->Dispatch->NdkDeregisterMr(mr, requested, nullptr), STATUS_INVALID_DEVICE_REQUEST);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_CLOSED, "NDK_MR", mr));
    EXPECT_EQ(mr->Dispatch->NdkGetLocalTokenFromMr(mr), 0u);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_CLOSED, "NDK_MR", mr));
    EXPECT_EQ(provider_.calls, before);
    provider_.end();
}

TEST_F(Guard, LetsAnEventThatRunsUseItsObjectWhileThatIsBeingClosed) {
    support::proves("NDK-CONS-61");
    NDK_CQ* const cq = make_cq(drains_and_arms);
    callback_object = cq;
    provider_.pends = true;
    EXPECT_EQ(close(cq), STATUS_PENDING);
    const int before = provider_.calls;
    provider_.notification(provider_.notification_context, STATUS_SUCCESS);
    EXPECT_EQ(provider_.calls, before + 2);
    EXPECT_TRUE(violations_.were_none());
    cq->Dispatch->NdkArmCq(cq, NDK_CQ_NOTIFY_ANY);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_CLOSED, "NDK_CQ", cq)) << "the event has returned";
    provider_.end();
}

TEST_F(Guard, ReportsAnEventAfterTheClose) {
    NDK_CQ* const cq = make_cq();
    EXPECT_EQ(close(cq), STATUS_SUCCESS);
    provider_.notification(provider_.notification_context, STATUS_SUCCESS);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_CALLBACK, "NDK_CQ"));
}

TEST_F(Guard, ReportsACallbackThatReturnsAtAnotherLevel) {
    NDK_CQ* const cq = make_cq(returns_lowered);
    provider_.notification(provider_.notification_context, STATUS_SUCCESS);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_IRQL, "notification"));
    close(cq);
}

TEST_F(Guard, ReportsAnMdlThatIsFreedWhileItIsRegistered) {
    char buffer[100] = {};
    PMDL const mdl = IoAllocateMdl(buffer, sizeof buffer, FALSE, FALSE, nullptr);
    MmProbeAndLockPages(mdl, KernelMode, IoWriteAccess);
    NDK_MR* const mr = make_mr();
    provider_.pends = true;
    EXPECT_EQ(mr->Dispatch->NdkRegisterMr(mr, mdl, sizeof buffer, 0, requested, nullptr), STATUS_PENDING);
    provider_.end();
    EXPECT_EQ(callback_irql, DISPATCH_LEVEL);
    EXPECT_TRUE(violations_.were_none());
    IoFreeMdl(mdl);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_IN_USE, "MDL", mdl));
    MmUnlockPages(mdl);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_IN_USE, "MDL", mdl));
    provider_.pends = false;
    EXPECT_EQ(mr->Dispatch->NdkDeregisterMr(mr, requested, nullptr), STATUS_SUCCESS);
    IoFreeMdl(mdl);
    close(mr);
    EXPECT_TRUE(violations_.were_none());
}

TEST_F(Guard, LetsGoOfTheMdlWhenNothingIsRegistered) {
    char buffer[100] = {};
    PMDL const mdl = IoAllocateMdl(buffer, sizeof buffer, FALSE, FALSE, nullptr);
    MmBuildMdlForNonPagedPool(mdl);
    NDK_MR* const mr = make_mr();
    provider_.request_status = STATUS_ACCESS_VIOLATION;
    EXPECT_EQ(mr->Dispatch->NdkRegisterMr(mr, mdl, sizeof buffer, 0, requested, nullptr), STATUS_ACCESS_VIOLATION);
    provider_.request_status = STATUS_SUCCESS;
    EXPECT_EQ(mr->Dispatch->NdkRegisterMr(mr, mdl, sizeof buffer, 0, requested, nullptr), STATUS_SUCCESS);
    close(mr);  // ends the registration, too
    IoFreeMdl(mdl);
    EXPECT_TRUE(violations_.were_none());
}

TEST_F(Guard, TakesConnectorsThatAListenerDelivers) {
    NDK_LISTENER* listener = nullptr;
    NDK_CONNECTOR* connector = nullptr;
    ASSERT_EQ(adapter_->Dispatch->NdkCreateListener(adapter_, connected, &connector, created, nullptr, &listener),
              STATUS_SUCCESS);
    provider_.connect_event(provider_.connect_context, &provider_.connector);
    ASSERT_EQ(connector, &provider_.connector);
    EXPECT_EQ(connector->Dispatch->NdkCompleteConnect(connector, disconnected, this, requested, nullptr),
              STATUS_SUCCESS);
    provider_.disconnect_event(provider_.disconnect_context);
    EXPECT_EQ(callback_object, this);
    EXPECT_EQ(callback_irql, DISPATCH_LEVEL);
    EXPECT_EQ(opennd_wdm_report_leaks(), 3u) << "adapter, listener, connector";
    violations_.take_all();
    EXPECT_EQ(connector->Dispatch->NdkCloseConnector(&connector->Header, nullptr, nullptr), STATUS_SUCCESS);
    EXPECT_EQ(listener->Dispatch->NdkCloseListener(&listener->Header, closed, nullptr), STATUS_SUCCESS);
    provider_.disconnect_event(provider_.disconnect_context);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_CALLBACK, "NDK_CONNECTOR"));
}

TEST_F(Guard, ReportsACallOfAnAdapterThatIsBeingClosed) {
    opennd_wdm_guard_closing(adapter_);
    NDK_PD* pd = nullptr;
    EXPECT_EQ(adapter_->Dispatch->NdkCreatePd(adapter_, created, nullptr, &pd), STATUS_INVALID_DEVICE_REQUEST);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_CLOSED, "NDK_ADAPTER", adapter_));
}

}  // namespace
}  // namespace opennd
