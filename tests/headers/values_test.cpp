// SPDX-License-Identifier: MIT
//
// Every constant has the value that Network Direct specifies, every structure its size.
#include <gtest/gtest.h>
#include <ndsupport.h>
#include <opennd.h>

#include <cstdint>
#include <type_traits>

#include "support/requirement.h"

namespace {

struct Constant {
    const char* name;
    std::uint32_t value;
    std::uint32_t number;
};

constexpr Constant kConstants[] = {
    {"ND_VERSION_1", ND_VERSION_1, 0x1},
    {"ND_VERSION_2", ND_VERSION_2, 0x20000},
    {"ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED", ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED, 0x00000001},
    {"ND_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED", ND_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED,
     0x00000004},
    {"ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED", ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED, 0x00000008},
    {"ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED", ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED, 0x00000100},
    {"ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED", ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED, 0x00010000},
    {"ND_CQ_NOTIFY_ERRORS", ND_CQ_NOTIFY_ERRORS, 0},
    {"ND_CQ_NOTIFY_ANY", ND_CQ_NOTIFY_ANY, 1},
    {"ND_CQ_NOTIFY_SOLICITED", ND_CQ_NOTIFY_SOLICITED, 2},
    {"ND_MR_FLAG_ALLOW_LOCAL_WRITE", ND_MR_FLAG_ALLOW_LOCAL_WRITE, 0x00000001},
    {"ND_MR_FLAG_ALLOW_REMOTE_READ", ND_MR_FLAG_ALLOW_REMOTE_READ, 0x00000002},
    {"ND_MR_FLAG_ALLOW_REMOTE_WRITE", ND_MR_FLAG_ALLOW_REMOTE_WRITE, 0x00000005},
    {"ND_MR_FLAG_RDMA_READ_SINK", ND_MR_FLAG_RDMA_READ_SINK, 0x00000008},
    {"ND_MR_FLAG_DO_NOT_SECURE_VM", ND_MR_FLAG_DO_NOT_SECURE_VM, 0x80000000},
    {"ND_OP_FLAG_SILENT_SUCCESS", ND_OP_FLAG_SILENT_SUCCESS, 0x00000001},
    {"ND_OP_FLAG_READ_FENCE", ND_OP_FLAG_READ_FENCE, 0x00000002},
    {"ND_OP_FLAG_SEND_AND_SOLICIT_EVENT", ND_OP_FLAG_SEND_AND_SOLICIT_EVENT, 0x00000004},
    {"ND_OP_FLAG_ALLOW_READ", ND_OP_FLAG_ALLOW_READ, 0x00000008},
    {"ND_OP_FLAG_ALLOW_WRITE", ND_OP_FLAG_ALLOW_WRITE, 0x00000010},
    {"ND_OP_FLAG_INLINE", ND_OP_FLAG_INLINE, 0x00000020},
    {"ND_QUERY_EXCLUDE_EMULATOR_ADDRESSES", ND_QUERY_EXCLUDE_EMULATOR_ADDRESSES, 0x00000001},
    {"ND_QUERY_EXCLUDE_NDv1_ADDRESSES", ND_QUERY_EXCLUDE_NDv1_ADDRESSES, 0x00000002},
    {"ND_QUERY_EXCLUDE_NDv2_ADDRESSES", ND_QUERY_EXCLUDE_NDv2_ADDRESSES, 0x00000004},
    {"NdCqNotifyErrors", NdCqNotifyErrors, 0},
    {"NdCqNotifyAny", NdCqNotifyAny, 1},
    {"NdCqNotifySolicited", NdCqNotifySolicited, 2},
    {"Nd2RequestTypeReceive", Nd2RequestTypeReceive, 0},
    {"Nd2RequestTypeSend", Nd2RequestTypeSend, 1},
    {"Nd2RequestTypeBind", Nd2RequestTypeBind, 2},
    {"Nd2RequestTypeInvalidate", Nd2RequestTypeInvalidate, 3},
    {"Nd2RequestTypeRead", Nd2RequestTypeRead, 4},
    {"Nd2RequestTypeWrite", Nd2RequestTypeWrite, 5},
};

TEST(Constants, HaveTheirNumbers) {
    for (const Constant& constant : kConstants) EXPECT_EQ(constant.value, constant.number) << constant.name;
    EXPECT_EQ(static_cast<unsigned>(NDVER), 0x20000u) << "version 2 is the default";
    EXPECT_EQ(TRUE, 1);
    EXPECT_EQ(FALSE, 0);
    EXPECT_EQ(INVALID_HANDLE_VALUE, reinterpret_cast<HANDLE>(~std::uintptr_t{0}));
}

struct Size {
    const char* name;
    std::size_t size;
    std::size_t number;
};

constexpr Size kSizes[] = {
    {"OVERLAPPED", sizeof(OVERLAPPED), 32},
    {"ND2_SGE", sizeof(ND2_SGE), 16},
    {"ND2_RESULT", sizeof(ND2_RESULT), 32},
    {"ND2_ADAPTER_INFO", sizeof(ND2_ADAPTER_INFO), 96},
    {"ND2_ADAPTER_INFO32", sizeof(ND2_ADAPTER_INFO32), 88},
    {"SOCKET_ADDRESS", sizeof(SOCKET_ADDRESS), 16},
    {"SOCKET_ADDRESS_LIST", sizeof(SOCKET_ADDRESS_LIST), 24},
    {"SOCKADDR_INET", sizeof(SOCKADDR_INET), 28},
    {"GUID", sizeof(GUID), 16},
    {"opennd_error", sizeof(opennd_error), 64},
    {"HRESULT", sizeof(HRESULT), 4},
    {"ULONG", sizeof(ULONG), 4},
    {"ND2_REQUEST_TYPE", sizeof(ND2_REQUEST_TYPE), 4},
    {"ND_ADAPTER_INFO", sizeof(ND_ADAPTER_INFO), 128},
    {"ND_RESULT", sizeof(ND_RESULT), 16},
    {"ND_SGE", sizeof(ND_SGE), 24},
    {"ND_MW_DESCRIPTOR", sizeof(ND_MW_DESCRIPTOR), 20},
    {"ND_MR_HANDLE", sizeof(ND_MR_HANDLE), 8},
};

TEST(Structures, HaveTheirSizes) {
    // Offsets are asserted at the end of the headers themselves.
    opennd::support::proves("ND2-GEN-01");
    for (const Size& type : kSizes) EXPECT_EQ(type.size, type.number) << type.name;
}

TEST(Structures, WindowDescriptorFitsAnyAddress) { EXPECT_EQ(alignof(ND_MW_DESCRIPTOR), 1u); }

// Programs pass pointers to one of these for the other, and look at signs.
static_assert(std::is_same_v<ULONG, DWORD>);
static_assert(std::is_same_v<SIZE_T, std::size_t>);
static_assert(std::is_same_v<SIZE_T, ULONG_PTR>);
static_assert(std::is_same_v<SIZE_T, UINT64>);
static_assert(std::is_same_v<HRESULT, NTSTATUS>);
static_assert(std::is_signed_v<HRESULT> && std::is_signed_v<BOOL> && std::is_signed_v<LONG>);
static_assert(!std::is_convertible_v<HANDLE, ND_MR_HANDLE>);

// Programs derive from OVERLAPPED and initialise it with { 0 }.
struct Request : OVERLAPPED {
    int number;
};
static_assert(std::is_aggregate_v<OVERLAPPED> && std::is_standard_layout_v<OVERLAPPED>);
static_assert(std::is_trivially_copyable_v<Request>);

}  // namespace
