// SPDX-License-Identifier: MIT
// See fake_provider.h. There is one at a time, since NDK objects carry no pointer to it.
#include "wdm/fake_provider.h"

namespace opennd {
namespace {

FakeProvider* current;

}  // namespace

FakeProvider& FakeProvider::instance() { return *current; }

NTSTATUS FakeProvider::request(NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
    ++calls;
    if (!pends) return request_status;
    end_ = [=, this] { completion(context, request_status); };
    return STATUS_PENDING;
}

NTSTATUS FakeProvider::made(NDK_OBJECT_HEADER& header, NDK_FN_CREATE_COMPLETION completion, PVOID context) {
    ++calls;
    if (!pends) return request_status;
    end_ = [=, this, &header] { completion(context, request_status, NT_SUCCESS(request_status) ? &header : nullptr); };
    return STATUS_PENDING;
}

NTSTATUS FakeProvider::close(NDK_OBJECT_HEADER*, NDK_FN_CLOSE_COMPLETION completion, PVOID context) {
    ++instance().closes;
    if (!instance().pends) return STATUS_SUCCESS;
    instance().end_ = [=] { completion(context); };
    return STATUS_PENDING;
}

FakeProvider::FakeProvider() {
    current = this;
    adapter_.Dispatch = &adapter_table_;
    adapter_table_.NdkCreateCq = [](NDK_ADAPTER*, ULONG, NDK_FN_CQ_NOTIFICATION_CALLBACK function, PVOID context,
                                    GROUP_AFFINITY*, NDK_FN_CREATE_COMPLETION completion, PVOID request, NDK_CQ** out) {
        FakeProvider& self = instance();
        self.notification = function;
        self.notification_context = context;
        self.cq.Dispatch = &self.cq_table_;
        if (!self.pends) *out = &self.cq;
        return self.made(self.cq.Header, completion, request);
    };
    adapter_table_.NdkCreatePd = [](NDK_ADAPTER*, NDK_FN_CREATE_COMPLETION completion, PVOID request, NDK_PD** out) {
        FakeProvider& self = instance();
        self.pd.Dispatch = &self.pd_table_;
        *out = &self.pd;
        return self.made(self.pd.Header, completion, request);
    };
    adapter_table_.NdkCreateListener = [](NDK_ADAPTER*, NDK_FN_CONNECT_EVENT_CALLBACK function, PVOID context,
                                          NDK_FN_CREATE_COMPLETION completion, PVOID request, NDK_LISTENER** out) {
        FakeProvider& self = instance();
        self.connect_event = function;
        self.connect_context = context;
        self.listener.Dispatch = &self.listener_table_;
        self.connector.Dispatch = &self.connector_table_;
        *out = &self.listener;
        return self.made(self.listener.Header, completion, request);
    };
    pd_table_.NdkClosePd = close;
    pd_table_.NdkCreateMr = [](NDK_PD*, BOOLEAN, NDK_FN_CREATE_COMPLETION completion, PVOID request, NDK_MR** out) {
        FakeProvider& self = instance();
        self.mr.Dispatch = &self.mr_table_;
        *out = &self.mr;
        return self.made(self.mr.Header, completion, request);
    };
    cq_table_.NdkCloseCq = close;
    cq_table_.NdkArmCq = [](NDK_CQ*, ULONG) { ++instance().calls; };
    cq_table_.NdkGetCqResults = [](NDK_CQ*, NDK_RESULT*, ULONG) { return ULONG(++instance().calls); };
    mr_table_.NdkCloseMr = close;
    mr_table_.NdkRegisterMr = [](NDK_MR*, MDL*, SIZE_T, ULONG, NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
        return instance().request(completion, context);
    };
    mr_table_.NdkDeregisterMr = [](NDK_MR*, NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
        return instance().request(completion, context);
    };
    listener_table_.NdkCloseListener = close;
    connector_table_.NdkCloseConnector = close;
    connector_table_.NdkCompleteConnect = [](NDK_CONNECTOR*, NDK_FN_DISCONNECT_EVENT_CALLBACK function, PVOID event,
                                             NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
        instance().disconnect_event = function;
        instance().disconnect_context = event;
        return instance().request(completion, context);
    };
}

}  // namespace opennd
