// SPDX-License-Identifier: MIT
//
// The headers of NDKPI by themselves. That they compile alone, in both languages and warn of nothing, is shown by the
// objects beside this file (NDK-HDR-02, NDK-HOST-54); that sizes and offsets are the specification's is asserted in them
// (NDK-HDR-03).
#include <gtest/gtest.h>
#include <ndkpi.h>

#include <type_traits>

namespace {

TEST(NdkHeaders, BringWhatConsumersIncludeThemFor) {
    RecordProperty("requirement", "NDK-HDR-01 NDK-HDR-04");
    static_assert(sizeof(struct _NDK_ADAPTER_INFO) == sizeof(NDK_ADAPTER_INFO));
    static_assert(std::is_same_v<struct _NDK_QP, NDK_QP>);
    static_assert(std::is_same_v<struct _NDK_LOGICAL_ADDRESS_MAPPING, NDK_LOGICAL_ADDRESS_MAPPING>);
    EXPECT_EQ(NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED, 2u);
    EXPECT_EQ(NdkRoCEv2, 4);
    EXPECT_EQ(sizeof(SOCKADDR_INET), 28u);
}

TEST(NdkHeaders, NameFunctionTypesThatArePlainPointers) {
    RecordProperty("requirement", "NDK-HDR-05");
    static_assert(std::is_same_v<NDK_FN_FLUSH, VOID (*)(NDK_QP*)>);
    static_assert(
        std::is_same_v<NDK_FN_CLOSE_OBJECT, NTSTATUS (*)(NDK_OBJECT_HEADER*, NDK_FN_CLOSE_COMPLETION, PVOID)>);
    static_assert(std::is_same_v<decltype(NDK_QP_DISPATCH::NdkFlush), NDK_FN_FLUSH>);
}

TEST(NdkHeaders, DeclareTypesThatHaveNoSlot) {
    RecordProperty("requirement", "NDK-CON-DISC-05");
    static_assert(
        std::is_same_v<NDK_FN_DISCONNECT_EX, NTSTATUS (*)(NDK_CONNECTOR*, BOOLEAN, NDK_FN_REQUEST_COMPLETION, PVOID)>);
    EXPECT_EQ(sizeof(NDK_CONNECTOR_DISPATCH), 13 * sizeof(void*))
        << "the last two are NdkCompleteConnectEx and NdkAcceptEx";
}

// Annotations may be there or not (NDK-HDR-06): with these the parameters are the same.
#define _In_
#define _Inout_opt_
using Annotated = NTSTATUS (*)(_In_ NDK_CQ*, _In_ ULONG, _In_ NDK_FN_REQUEST_COMPLETION, _Inout_opt_ PVOID);

TEST(NdkHeaders, AreNotChangedByAnnotations) {
    RecordProperty("requirement", "NDK-HDR-06");
    static_assert(std::is_same_v<Annotated, NDK_FN_RESIZE_CQ>);
}

}  // namespace
