// SPDX-License-Identifier: MIT
//
// Every function type of NDKPI, to the last qualifier: a function with the prototype of Windows' header goes into a
// table in C++. CONST before a pointer's name makes the parameter const, not its pointee; a function's type does not
// have it.
#include <gtest/gtest.h>
#include <ndkpi.h>

#include <type_traits>

namespace {

TEST(NdkFunctionTypes, OfCallbacksAreThoseOfTheSpecification) {
    RecordProperty("requirement", "NDK-HDR-05");
    static_assert(std::is_same_v<NDK_FN_CREATE_COMPLETION, VOID (*)(PVOID, NTSTATUS, NDK_OBJECT_HEADER*)>);
    static_assert(std::is_same_v<NDK_FN_REQUEST_COMPLETION, VOID (*)(PVOID, NTSTATUS)>);
    static_assert(std::is_same_v<NDK_FN_CLOSE_COMPLETION, VOID (*)(PVOID)>);
    static_assert(std::is_same_v<NDK_FN_CQ_NOTIFICATION_CALLBACK, VOID (*)(PVOID, NTSTATUS)>);
    static_assert(std::is_same_v<NDK_FN_SRQ_NOTIFICATION_CALLBACK, VOID (*)(PVOID, NTSTATUS)>);
    static_assert(std::is_same_v<NDK_FN_CONNECT_EVENT_CALLBACK, VOID (*)(PVOID, NDK_CONNECTOR*)>);
    static_assert(std::is_same_v<NDK_FN_DISCONNECT_EVENT_CALLBACK, VOID (*)(PVOID)>);
    static_assert(std::is_same_v<NDK_FN_DISCONNECT_EVENT_CALLBACK_EX, VOID (*)(PVOID, ULONG)>);
}

TEST(NdkFunctionTypes, OfAdaptersAndProtectionDomainsAreThoseOfTheSpecification) {
    RecordProperty("requirement", "NDK-HDR-05");
    static_assert(
        std::is_same_v<NDK_FN_CLOSE_OBJECT, NTSTATUS (*)(NDK_OBJECT_HEADER*, NDK_FN_CLOSE_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<NDK_FN_QUERY_EXTENSION_INTERFACE,
                                 NTSTATUS (*)(NDK_OBJECT_HEADER*, GUID*, NDK_VERSION, NDK_EXTENSION_INTERFACE*)>);
    static_assert(std::is_same_v<NDK_FN_QUERY_ADAPTER_INFO, NTSTATUS (*)(NDK_ADAPTER*, NDK_ADAPTER_INFO*, ULONG*)>);
    static_assert(std::is_same_v<NDK_FN_QUERY_ADAPTER_INFO_EX,
                                 NTSTATUS (*)(NDK_ADAPTER*, NDK_VERSION, NDK_ADAPTER_INFO*, ULONG*)>);
    static_assert(
        std::is_same_v<NDK_FN_CREATE_CQ, NTSTATUS (*)(NDK_ADAPTER*, ULONG, NDK_FN_CQ_NOTIFICATION_CALLBACK, PVOID,
                                                      GROUP_AFFINITY*, NDK_FN_CREATE_COMPLETION, PVOID, NDK_CQ**)>);
    static_assert(
        std::is_same_v<NDK_FN_CREATE_PD, NTSTATUS (*)(NDK_ADAPTER*, NDK_FN_CREATE_COMPLETION, PVOID, NDK_PD**)>);
    static_assert(std::is_same_v<NDK_FN_CREATE_SHARED_ENDPOINT,
                                 NTSTATUS (*)(NDK_ADAPTER*, CONST PSOCKADDR, ULONG, NDK_FN_CREATE_COMPLETION, PVOID,
                                              NDK_SHARED_ENDPOINT**)>);
    static_assert(std::is_same_v<NDK_FN_CREATE_CONNECTOR,
                                 NTSTATUS (*)(NDK_ADAPTER*, NDK_FN_CREATE_COMPLETION, PVOID, NDK_CONNECTOR**)>);
    static_assert(
        std::is_same_v<NDK_FN_CREATE_LISTENER, NTSTATUS (*)(NDK_ADAPTER*, NDK_FN_CONNECT_EVENT_CALLBACK, PVOID,
                                                            NDK_FN_CREATE_COMPLETION, PVOID, NDK_LISTENER**)>);
    static_assert(std::is_same_v<NDK_FN_BUILD_LAM, NTSTATUS (*)(NDK_ADAPTER*, MDL*, SIZE_T, NDK_FN_REQUEST_COMPLETION,
                                                                PVOID, NDK_LOGICAL_ADDRESS_MAPPING*, ULONG*, ULONG*)>);
    static_assert(std::is_same_v<NDK_FN_RELEASE_LAM, VOID (*)(NDK_ADAPTER*, NDK_LOGICAL_ADDRESS_MAPPING*)>);
    static_assert(
        std::is_same_v<NDK_FN_CREATE_MR, NTSTATUS (*)(NDK_PD*, BOOLEAN, NDK_FN_CREATE_COMPLETION, PVOID, NDK_MR**)>);
    static_assert(std::is_same_v<NDK_FN_CREATE_MW, NTSTATUS (*)(NDK_PD*, NDK_FN_CREATE_COMPLETION, PVOID, NDK_MW**)>);
    static_assert(std::is_same_v<NDK_FN_CREATE_SRQ,
                                 NTSTATUS (*)(NDK_PD*, ULONG, ULONG, ULONG, NDK_FN_SRQ_NOTIFICATION_CALLBACK, PVOID,
                                              GROUP_AFFINITY*, NDK_FN_CREATE_COMPLETION, PVOID, NDK_SRQ**)>);
    static_assert(
        std::is_same_v<NDK_FN_CREATE_QP, NTSTATUS (*)(NDK_PD*, NDK_CQ*, NDK_CQ*, PVOID, ULONG, ULONG, ULONG, ULONG,
                                                      ULONG, NDK_FN_CREATE_COMPLETION, PVOID, NDK_QP**)>);
    static_assert(
        std::is_same_v<NDK_FN_CREATE_QP_WITH_SRQ, NTSTATUS (*)(NDK_PD*, NDK_CQ*, NDK_CQ*, NDK_SRQ*, PVOID, ULONG, ULONG,
                                                               ULONG, NDK_FN_CREATE_COMPLETION, PVOID, NDK_QP**)>);
    static_assert(std::is_same_v<NDK_FN_GET_PRIVILEGED_MEMORY_REGION_TOKEN, VOID (*)(NDK_PD*, UINT32*)>);
}

TEST(NdkFunctionTypes, OfQueuesAndMemoryAreThoseOfTheSpecification) {
    RecordProperty("requirement", "NDK-HDR-05");
    static_assert(std::is_same_v<NDK_FN_RESIZE_CQ, NTSTATUS (*)(NDK_CQ*, ULONG, NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<NDK_FN_ARM_CQ, VOID (*)(NDK_CQ*, ULONG)>);
    static_assert(std::is_same_v<NDK_FN_GET_CQ_RESULTS, ULONG (*)(NDK_CQ*, NDK_RESULT*, ULONG)>);
    static_assert(std::is_same_v<NDK_FN_GET_CQ_RESULTS_EX, ULONG (*)(NDK_CQ*, NDK_RESULT_EX*, ULONG)>);
    static_assert(std::is_same_v<NDK_FN_CONTROL_CQ_INTERRUPT_MODERATION, NTSTATUS (*)(NDK_CQ*, ULONG, ULONG)>);
    static_assert(std::is_same_v<NDK_FN_REGISTER_MR,
                                 NTSTATUS (*)(NDK_MR*, MDL*, SIZE_T, ULONG, NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<NDK_FN_DEREGISTER_MR, NTSTATUS (*)(NDK_MR*, NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<NDK_FN_INITIALIZE_FAST_REGISTER_MR,
                                 NTSTATUS (*)(NDK_MR*, ULONG, BOOLEAN, NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<NDK_FN_GET_REMOTE_TOKEN_FROM_MR, UINT32 (*)(NDK_MR*)>);
    static_assert(std::is_same_v<NDK_FN_GET_LOCAL_TOKEN_FROM_MR, UINT32 (*)(NDK_MR*)>);
    static_assert(std::is_same_v<NDK_FN_GET_REMOTE_TOKEN_FROM_MW, UINT32 (*)(NDK_MW*)>);
    static_assert(
        std::is_same_v<NDK_FN_MODIFY_SRQ, NTSTATUS (*)(NDK_SRQ*, ULONG, ULONG, NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<NDK_FN_SRQ_RECEIVE, NTSTATUS (*)(NDK_SRQ*, PVOID, CONST NDK_SGE*, ULONG)>);
}

TEST(NdkFunctionTypes, OfQueuePairsAreThoseOfTheSpecification) {
    RecordProperty("requirement", "NDK-HDR-05");
    static_assert(std::is_same_v<NDK_FN_FLUSH, VOID (*)(NDK_QP*)>);
    static_assert(std::is_same_v<NDK_FN_SEND, NTSTATUS (*)(NDK_QP*, PVOID, CONST NDK_SGE*, ULONG, ULONG)>);
    static_assert(
        std::is_same_v<NDK_FN_SEND_AND_INVALIDATE, NTSTATUS (*)(NDK_QP*, PVOID, CONST NDK_SGE*, ULONG, ULONG, UINT32)>);
    static_assert(std::is_same_v<NDK_FN_RECEIVE, NTSTATUS (*)(NDK_QP*, PVOID, CONST NDK_SGE*, ULONG)>);
    static_assert(std::is_same_v<NDK_FN_BIND, NTSTATUS (*)(NDK_QP*, PVOID, NDK_MR*, NDK_MW*, PVOID, SIZE_T, ULONG)>);
    static_assert(
        std::is_same_v<NDK_FN_FAST_REGISTER, NTSTATUS (*)(NDK_QP*, PVOID, NDK_MR*, ULONG, CONST NDK_LOGICAL_ADDRESS*,
                                                          ULONG, SIZE_T, PVOID, ULONG)>);
    static_assert(std::is_same_v<NDK_FN_INVALIDATE, NTSTATUS (*)(NDK_QP*, PVOID, NDK_OBJECT_HEADER*, ULONG)>);
    static_assert(
        std::is_same_v<NDK_FN_READ, NTSTATUS (*)(NDK_QP*, PVOID, CONST NDK_SGE*, ULONG, UINT64, UINT32, ULONG)>);
    static_assert(
        std::is_same_v<NDK_FN_WRITE, NTSTATUS (*)(NDK_QP*, PVOID, CONST NDK_SGE*, ULONG, UINT64, UINT32, ULONG)>);
}

TEST(NdkFunctionTypes, OfConnectionsAreThoseOfTheSpecification) {
    RecordProperty("requirement", "NDK-HDR-05");
    static_assert(std::is_same_v<NDK_FN_CONNECT,
                                 NTSTATUS (*)(NDK_CONNECTOR*, NDK_QP*, CONST PSOCKADDR, ULONG, CONST PSOCKADDR, ULONG,
                                              ULONG, ULONG, CONST PVOID, ULONG, NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<NDK_FN_CONNECT_WITH_SHARED_ENDPOINT,
                                 NTSTATUS (*)(NDK_CONNECTOR*, NDK_QP*, NDK_SHARED_ENDPOINT*, CONST PSOCKADDR, ULONG,
                                              ULONG, ULONG, CONST PVOID, ULONG, NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<NDK_FN_COMPLETE_CONNECT, NTSTATUS (*)(NDK_CONNECTOR*, NDK_FN_DISCONNECT_EVENT_CALLBACK,
                                                                       PVOID, NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(
        std::is_same_v<NDK_FN_COMPLETE_CONNECT_EX, NTSTATUS (*)(NDK_CONNECTOR*, NDK_FN_DISCONNECT_EVENT_CALLBACK_EX,
                                                                PVOID, NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<NDK_FN_ACCEPT, NTSTATUS (*)(NDK_CONNECTOR*, NDK_QP*, ULONG, ULONG, CONST PVOID, ULONG,
                                                             NDK_FN_DISCONNECT_EVENT_CALLBACK, PVOID,
                                                             NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<NDK_FN_ACCEPT_EX, NTSTATUS (*)(NDK_CONNECTOR*, NDK_QP*, ULONG, ULONG, CONST PVOID,
                                                                ULONG, NDK_FN_DISCONNECT_EVENT_CALLBACK_EX, PVOID,
                                                                NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<NDK_FN_REJECT, NTSTATUS (*)(NDK_CONNECTOR*, CONST PVOID, ULONG)>);
    static_assert(
        std::is_same_v<NDK_FN_GET_CONNECTION_DATA, NTSTATUS (*)(NDK_CONNECTOR*, ULONG*, ULONG*, PVOID, ULONG*)>);
    static_assert(std::is_same_v<NDK_FN_GET_LOCAL_ADDRESS, NTSTATUS (*)(NDK_CONNECTOR*, PSOCKADDR, ULONG*)>);
    static_assert(std::is_same_v<NDK_FN_GET_PEER_ADDRESS, NTSTATUS (*)(NDK_CONNECTOR*, PSOCKADDR, ULONG*)>);
    static_assert(std::is_same_v<NDK_FN_DISCONNECT, NTSTATUS (*)(NDK_CONNECTOR*, NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(
        std::is_same_v<NDK_FN_DISCONNECT_EX, NTSTATUS (*)(NDK_CONNECTOR*, BOOLEAN, NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<NDK_FN_LISTEN, NTSTATUS (*)(NDK_LISTENER*, CONST PSOCKADDR, ULONG,
                                                             NDK_FN_REQUEST_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<NDK_FN_GET_LISTENER_LOCAL_ADDRESS, NTSTATUS (*)(NDK_LISTENER*, PSOCKADDR, ULONG*)>);
    static_assert(std::is_same_v<NDK_FN_CONTROL_CONNECT_EVENTS, VOID (*)(NDK_LISTENER*, BOOLEAN)>);
    static_assert(std::is_same_v<NDK_FN_GET_SHARED_ENDPOINT_LOCAL_ADDRESS,
                                 NTSTATUS (*)(NDK_SHARED_ENDPOINT*, PSOCKADDR, ULONG*)>);
}

// As a consumer's own provider, a fake in its tests, has it from Microsoft's pages.
NTSTATUS reject(NDK_CONNECTOR*, CONST PVOID, ULONG) { return STATUS_SUCCESS; }

TEST(NdkFunctionTypes, TakeFunctionsWithTheWindowsPrototype) {
    RecordProperty("requirement", "NDK-HDR-05");
    NDK_CONNECTOR_DISPATCH table{};
    table.NdkReject = reject;
    EXPECT_EQ(table.NdkReject(nullptr, nullptr, 0), STATUS_SUCCESS);
}

}  // namespace
