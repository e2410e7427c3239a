// SPDX-License-Identifier: MIT
//
// Fast registration, the privileged token, and requests that take registrations away.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

constexpr ULONG kPage = 4096;

struct alignas(kPage) Pages {
    std::byte bytes[8 * kPage];
};

class NdkFast : public NdkTest {
protected:
    NdkFast() {
        EXPECT_STATUS(b_.domain->Dispatch->NdkCreateMr(b_.domain.get(), TRUE, nullptr, nullptr, region_.out()),
                      STATUS_SUCCESS);
        EXPECT_STATUS(initialize(4, TRUE), STATUS_SUCCESS);
        EXPECT_STATUS(b_.receive(100, 0, 64), STATUS_SUCCESS);
        EXPECT_STATUS(a_.receive(100, 0, 64), STATUS_SUCCESS);
    }

    NTSTATUS initialize(ULONG pages, BOOLEAN remote) {
        return region_->Dispatch->NdkInitializeFastRegisterMr(region_.get(), pages, remote, nullptr, nullptr);
    }
    NDK_LOGICAL_ADDRESS page(ULONG number) {
        NDK_LOGICAL_ADDRESS address;
        address.QuadPart = reinterpret_cast<LONGLONG>(pages_->bytes + number * kPage);
        return address;
    }
    // Pages 3 and 1 of the memory, in this order.
    NTSTATUS enroll(UINT64 base, ULONG first_byte, SIZE_T bytes, ULONG flags = 0x38) {
        const NDK_LOGICAL_ADDRESS list[] = {page(3), page(1)};
        return b_.queue_pair->Dispatch->NdkFastRegister(b_.queue_pair.get(), tag(7), region_.get(), 2, list, first_byte,
                                                        bytes, reinterpret_cast<PVOID>(base), flags);
    }
    NTSTATUS done(NDK_OPERATION_TYPE type) {
        const NDK_RESULT_EX result = next_result(b_.initiated.get());
        EXPECT_EQ(result.Type, type);
        return result.Status;
    }
    NTSTATUS invalidate() {
        return b_.queue_pair->Dispatch->NdkInvalidate(b_.queue_pair.get(), tag(8), &region_->Header, 0);
    }
    UINT32 token() { return region_->Dispatch->NdkGetRemoteTokenFromMr(region_.get()); }
    NTSTATUS read_by_peer(UINT64 address, ULONG bytes) {
        const NDK_SGE sink = a_.part(4096, bytes);
        EXPECT_STATUS(a_.queue_pair->Dispatch->NdkRead(a_.queue_pair.get(), tag(9), &sink, 1, address, token(), 0),
                      STATUS_SUCCESS);
        return next_result(a_.initiated.get()).Status;
    }

    std::unique_ptr<Pages> pages_ = std::make_unique<Pages>();
    Pair pair_;
    Side& a_ = pair_.a;
    Side& b_ = pair_.b;
    Owned<NDK_MR> region_;
};
OPENND_OVER_EACH_TRANSPORT(NdkFast);

TEST_P(NdkFast, MapsPagesThatNeedNotFollowEachOther) {
    proves("NDK-QP-FREG-01", "NDK-QP-FREG-02", "NDK-QP-FREG-05", "NDK-MR-FRMR-02", "NDK-CONS-30", "NDK-CONS-26");
    std::memset(pages_->bytes, 0x11, sizeof pages_->bytes);
    std::memset(pages_->bytes + 3 * kPage, 0x33, kPage);
    ASSERT_STATUS(enroll(0x40010, 0x10, 0x1800), STATUS_SUCCESS);
    ASSERT_STATUS(done(NdkOperationTypeFastRegister), STATUS_SUCCESS);
    EXPECT_NE(token(), 0u);
    ASSERT_STATUS(read_by_peer(0x40F00, 0x200), STATUS_SUCCESS);
    const std::byte* const got = a_.memory->data() + 4096;
    EXPECT_EQ(got[0], std::byte{0x33});
    EXPECT_EQ(got[0xFF], std::byte{0x33});
    EXPECT_EQ(got[0x100], std::byte{0x11}) << "page 1 follows page 3";
}

TEST_P(NdkFast, TheTokenStaysThroughCyclesOfRegistration) {
    proves("NDK-MR-FRMR-03", "NDK-QP-INV-05", "NDK-QP-INV-01", "NDK-CONS-26");
    const UINT32 first = token();
    for (int cycle = 0; cycle < 3; ++cycle) {
        ASSERT_STATUS(enroll(0x1000, 0, kPage), STATUS_SUCCESS);
        ASSERT_STATUS(done(NdkOperationTypeFastRegister), STATUS_SUCCESS);
        ASSERT_STATUS(read_by_peer(0x1000, 16), STATUS_SUCCESS);
        ASSERT_STATUS(invalidate(), STATUS_SUCCESS);
        ASSERT_STATUS(done(NdkOperationTypeInvalidate), STATUS_SUCCESS);
        EXPECT_EQ(token(), first);
    }
    EXPECT_NE(read_by_peer(0x1000, 16), STATUS_SUCCESS);
}

TEST_P(NdkFast, ABaseIsAnyNumber) {
    proves("NDK-QP-FREG-03", "NDK-QP-FREG-07", "NDK-CONS-27");
    for (const UINT64 base : {UINT64{0}, UINT64{0x123}, UINT64{0xDEADBEEF12345678}}) {
        ASSERT_STATUS(enroll(base, 0, kPage), STATUS_SUCCESS) << base;
        ASSERT_STATUS(done(NdkOperationTypeFastRegister), STATUS_SUCCESS);
        ASSERT_STATUS(read_by_peer(base + 8, 16), STATUS_SUCCESS) << base;
        ASSERT_STATUS(invalidate(), STATUS_SUCCESS);
        ASSERT_STATUS(done(NdkOperationTypeInvalidate), STATUS_SUCCESS);
    }
    EXPECT_STATUS(enroll(0x1001, 2, 16), STATUS_INVALID_PARAMETER) << "base and first byte disagree";
    EXPECT_STATUS(enroll(~UINT64{0} - 0xFFF, 0, 2 * kPage), STATUS_INVALID_PARAMETER) << "it wraps";
}

TEST_P(NdkFast, ArgumentsAreChecked) {
    proves("NDK-MR-FRMR-01", "NDK-MR-FRMR-05", "NDK-CONS-31", "NDK-QP-FREG-02");
    EXPECT_STATUS(enroll(0, 4096, 16), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(enroll(0, 0, 0), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(enroll(0, 0, 2 * kPage + 1), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(enroll(0, 0, 16, 0x4), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(initialize(0, TRUE), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(initialize(65537, TRUE), STATUS_IMPLEMENTATION_LIMIT);
    EXPECT_STATUS(initialize(1, TRUE), STATUS_SUCCESS);
    EXPECT_STATUS(enroll(0, 0, 16), STATUS_INVALID_PARAMETER) << "two pages";
    EXPECT_STATUS(initialize(4, FALSE), STATUS_SUCCESS);
    EXPECT_STATUS(enroll(0, 0, 16, NDK_OP_FLAG_ALLOW_REMOTE_READ), STATUS_ACCESS_VIOLATION);
    EXPECT_STATUS(region_->Dispatch->NdkDeregisterMr(region_.get(), nullptr, nullptr), STATUS_INVALID_DEVICE_REQUEST);
    EXPECT_STATUS(b_.region->Dispatch->NdkInitializeFastRegisterMr(b_.region.get(), 4, TRUE, nullptr, nullptr),
                  STATUS_INVALID_DEVICE_REQUEST);
}

// C code may leave any value in a BOOLEAN.
TEST_P(NdkFast, RemoteAccessIsAnyValueButZero) {
    proves("NDK-MR-FRMR-05");
    for (const unsigned remote : {1u, 2u, 0x80u, 0xFFu}) {
        SCOPED_TRACE(remote);
        ASSERT_STATUS(initialize(4, static_cast<BOOLEAN>(remote)), STATUS_SUCCESS);
        ASSERT_STATUS(enroll(0x1000, 0, kPage), STATUS_SUCCESS);
        ASSERT_STATUS(done(NdkOperationTypeFastRegister), STATUS_SUCCESS);
        ASSERT_STATUS(read_by_peer(0x1000, 16), STATUS_SUCCESS);
        ASSERT_STATUS(invalidate(), STATUS_SUCCESS);
        ASSERT_STATUS(done(NdkOperationTypeInvalidate), STATUS_SUCCESS);
    }
    ASSERT_STATUS(initialize(4, FALSE), STATUS_SUCCESS);
    EXPECT_STATUS(enroll(0x1000, 0, kPage), STATUS_ACCESS_VIOLATION);
}

TEST_P(NdkFast, AnyValueButZeroMakesARegionAFastOne) {
    proves("NDK-MR-FRMR-05", "NDK-CONS-31");
    for (const unsigned fast : {2u, 0x80u, 0xFFu}) {
        SCOPED_TRACE(fast);
        Owned<NDK_MR> region;
        ASSERT_STATUS(b_.domain->Dispatch->NdkCreateMr(b_.domain.get(), static_cast<BOOLEAN>(fast), nullptr, nullptr,
                                                       region.out()),
                      STATUS_SUCCESS);
        EXPECT_STATUS(region->Dispatch->NdkInitializeFastRegisterMr(region.get(), 4, TRUE, nullptr, nullptr),
                      STATUS_SUCCESS);
    }
}

// In one part and in many; the receiver sleeps until then.
TEST_P(NdkFast, ASendThatTakesARegistrationAwayMayBeSolicited) {
    proves("NDK-QP-SINV-01", "NDK-CQ-ARM-02", "IW-RDMAP-20");
    ASSERT_STATUS(a_.send(1, 0, 8), STATUS_SUCCESS);  // takes the receive of the fixture
    ASSERT_STATUS(next_result(b_.received.get()).Status, STATUS_SUCCESS);
    ASSERT_STATUS(next_result(a_.initiated.get()).Status, STATUS_SUCCESS);
    for (const ULONG bytes : {ULONG{0}, ULONG{64}, ULONG{40'000}}) {
        SCOPED_TRACE(bytes);
        b_.received->Dispatch->NdkArmCq(b_.received.get(), NDK_CQ_NOTIFY_SOLICITED);
        for (const ULONG flags : {ULONG{0}, ULONG{NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT}}) {
            ASSERT_STATUS(enroll(0x1000, 0, kPage), STATUS_SUCCESS);
            ASSERT_STATUS(done(NdkOperationTypeFastRegister), STATUS_SUCCESS);
            ASSERT_STATUS(b_.receive(2, 0, 50'000), STATUS_SUCCESS);
            const NDK_SGE entry = a_.part(0, bytes);
            ASSERT_STATUS(
                a_.queue_pair->Dispatch->NdkSendAndInvalidate(a_.queue_pair.get(), tag(3), &entry, 1, flags, token()),
                STATUS_SUCCESS);
            if (flags != 0) {
                EXPECT_STATUS(b_.received_armed.next(), STATUS_SUCCESS);
            }
            const NDK_RESULT_EX received = next_result(b_.received.get());
            EXPECT_STATUS(received.Status, STATUS_SUCCESS);
            EXPECT_EQ(received.Type, NdkOperationTypeReceiveAndInvalidate);
            EXPECT_STATUS(next_result(a_.initiated.get()).Status, STATUS_SUCCESS);
        }
    }
    EXPECT_EQ(b_.received_armed.count(), 3) << "only of the solicited ones";
}

TEST_P(NdkFast, ASendTakesTheRegistrationAwayAndTheReceiveTells) {
    proves("NDK-QP-SINV-01", "NDK-QP-SINV-02", "NDK-QP-SINV-04", "NDK-CQ-POLL-03", "NDK-CQ-POLL-06", "NDK-CONS-63");
    ASSERT_STATUS(enroll(0x1000, 0, kPage), STATUS_SUCCESS);
    ASSERT_STATUS(done(NdkOperationTypeFastRegister), STATUS_SUCCESS);
    const NDK_SGE entry = a_.part(0, 32);
    ASSERT_STATUS(a_.queue_pair->Dispatch->NdkSendAndInvalidate(a_.queue_pair.get(), tag(3), &entry, 1, 0, token()),
                  STATUS_SUCCESS);
    const NDK_RESULT_EX received = next_result(b_.received.get());
    EXPECT_STATUS(received.Status, STATUS_SUCCESS);
    EXPECT_EQ(received.Type, NdkOperationTypeReceiveAndInvalidate);
    EXPECT_EQ(received.TypeSpecificCompletionOutput, token());
    EXPECT_EQ(received.BytesTransferred, 32u);
    EXPECT_EQ(next_result(a_.initiated.get()).Type, NdkOperationTypeSend);
    ASSERT_STATUS(enroll(0x1000, 0, kPage), STATUS_SUCCESS) << "it is free again";
    ASSERT_STATUS(done(NdkOperationTypeFastRegister), STATUS_SUCCESS);
}

TEST_P(NdkFast, TakingAwayWhatIsNotRegisteredEndsTheConnection) {
    proves("NDK-QP-SINV-03");
    const NDK_SGE entry = a_.part(0, 32);
    ASSERT_STATUS(a_.queue_pair->Dispatch->NdkSendAndInvalidate(a_.queue_pair.get(), tag(3), &entry, 1, 0, token()),
                  STATUS_SUCCESS);
    EXPECT_STATUS(next_result(b_.received.get()).Status, STATUS_INVALID_DEVICE_REQUEST);
    EXPECT_NE(b_.disconnected.next(), kNoCallback);
}

TEST_P(NdkFast, AReadMayEndTheRegistrationItReadsInto) {
    proves("NDK-QP-READ-04", "NDK-QP-READ-05", "NDK-QP-FREG-04");
    std::memset(a_.memory->data() + 8192, 0x77, kPage);
    ASSERT_STATUS(enroll(0x1000, 0, kPage, NDK_OP_FLAG_ALLOW_LOCAL_WRITE | NDK_OP_FLAG_SILENT_SUCCESS), STATUS_SUCCESS);
    NDK_SGE sink = sge(reinterpret_cast<const void*>(ULONG_PTR{0x1000}), kPage,
                       region_->Dispatch->NdkGetLocalTokenFromMr(region_.get()));
    const auto& call = *b_.queue_pair->Dispatch;
    ASSERT_STATUS(call.NdkRead(b_.queue_pair.get(), tag(4), &sink, 1, a_.address(8192), a_.remote_token,
                               NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE),
                  STATUS_SUCCESS);
    EXPECT_STATUS(done(NdkOperationTypeRead), STATUS_SUCCESS);
    EXPECT_EQ(pages_->bytes[3 * kPage + 100], std::byte{0x77});
    ASSERT_STATUS(enroll(0x1000, 0, kPage), STATUS_SUCCESS) << "it is free again";
    EXPECT_STATUS(done(NdkOperationTypeFastRegister), STATUS_SUCCESS);
    sink = b_.part(0, 64);
    EXPECT_STATUS(call.NdkRead(b_.queue_pair.get(), tag(4), &sink, 1, a_.address(0), a_.remote_token,
                               NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE),
                  STATUS_INVALID_PARAMETER)
        << "a region that is registered otherwise";
}

TEST_P(NdkFast, ThePrivilegedTokenReachesMappedPagesAndServesNoPeer) {
    proves("NDK-PD-02", "NDK-PD-03", "NDK-PD-04", "NDK-QP-POST-08");
    UINT32 privileged = 0;
    b_.domain->Dispatch->NdkGetPrivilegedMemoryRegionToken(b_.domain.get(), &privileged);
    EXPECT_NE(privileged, 0u);
    EXPECT_NE(privileged, b_.local_token);
    std::memset(pages_->bytes, 0x66, 64);
    NDK_SGE entry{};
    entry.LogicalAddress = page(0);
    entry.Length = 64;
    entry.MemoryRegionToken = privileged;
    ASSERT_STATUS(b_.queue_pair->Dispatch->NdkSend(b_.queue_pair.get(), tag(1), &entry, 1, 0), STATUS_SUCCESS);
    EXPECT_STATUS(next_result(a_.received.get()).Status, STATUS_SUCCESS);
    EXPECT_EQ((*a_.memory)[63], std::byte{0x66});
    const NDK_SGE sink = a_.part(0, 8);
    ASSERT_STATUS(a_.queue_pair->Dispatch->NdkRead(a_.queue_pair.get(), tag(2), &sink, 1,
                                                   static_cast<UINT64>(page(0).QuadPart), privileged, 0),
                  STATUS_SUCCESS);
    EXPECT_STATUS(next_result(a_.initiated.get()).Status, STATUS_ACCESS_VIOLATION);
}

TEST_P(NdkFast, ARegionWhoseFramesAreElsewhereIsReachedByThem) {
    proves("NDK-MDL-03", "NDK-MR-REG-01", "NDK-HOST-20");
    std::memset(pages_->bytes + 5 * kPage, 0x55, kPage);
    Owned<NDK_MR> region;
    ASSERT_STATUS(b_.domain->Dispatch->NdkCreateMr(b_.domain.get(), FALSE, nullptr, nullptr, region.out()),
                  STATUS_SUCCESS);
    Mdl mdl(reinterpret_cast<const void*>(ULONG_PTR{0x7000}), kPage, Mdl::Frames::filled);  // where nothing is mapped
    mdl.frames()[0] = reinterpret_cast<ULONG_PTR>(pages_->bytes + 5 * kPage) / kPage;
    ASSERT_STATUS(region->Dispatch->NdkRegisterMr(region.get(), mdl.get(), kPage, kAllRights, nullptr, nullptr),
                  STATUS_SUCCESS);
    const NDK_SGE sink = a_.part(0, 16);
    ASSERT_STATUS(a_.queue_pair->Dispatch->NdkRead(a_.queue_pair.get(), tag(1), &sink, 1, 0x7010,
                                                   region->Dispatch->NdkGetRemoteTokenFromMr(region.get()), 0),
                  STATUS_SUCCESS);
    EXPECT_STATUS(next_result(a_.initiated.get()).Status, STATUS_SUCCESS);
    EXPECT_EQ((*a_.memory)[0], std::byte{0x55});
}

// For this side alone, which every transport has (NDK-MAP-10): pages 3 and 1 of a logical mapping, from byte 16 of the first on.
class NdkFastHere : public NdkTest {
protected:
    static constexpr UINT64 kBase = 0x40010;  // no address
    static constexpr ULONG kFirstByte = 0x10, kBytes = 2 * kPage - kFirstByte;
    static constexpr ULONG kRest = kPage - kFirstByte;  // of the first page

    NdkFastHere() {
        Mdl mdl(pages_->bytes, sizeof pages_->bytes, Mdl::Frames::filled);
        ULONG bytes = sizeof room_, first_byte = 0;
        EXPECT_STATUS(b_.adapter.call().NdkBuildLAM(b_.adapter.get(), mdl.get(), sizeof pages_->bytes, nullptr, nullptr,
                                                    mapping(), &bytes, &first_byte),
                      STATUS_SUCCESS);
        EXPECT_STATUS(b_.domain->Dispatch->NdkCreateMr(b_.domain.get(), TRUE, nullptr, nullptr, region_.out()),
                      STATUS_SUCCESS);
        EXPECT_STATUS(region_->Dispatch->NdkInitializeFastRegisterMr(region_.get(), 4, FALSE, nullptr, nullptr),
                      STATUS_SUCCESS);
    }
    ~NdkFastHere() override {
        region_ = {};
        b_.adapter.call().NdkReleaseLAM(b_.adapter.get(), mapping());
    }

    NDK_LOGICAL_ADDRESS_MAPPING* mapping() { return reinterpret_cast<NDK_LOGICAL_ADDRESS_MAPPING*>(room_); }
    void enroll() {
        const NDK_LOGICAL_ADDRESS list[] = {mapping()->AdapterPageArray[3], mapping()->AdapterPageArray[1]};
        ASSERT_STATUS(b_.queue_pair->Dispatch->NdkFastRegister(b_.queue_pair.get(), tag(1), region_.get(), 2, list,
                                                               kFirstByte, kBytes, reinterpret_cast<PVOID>(kBase),
                                                               NDK_OP_FLAG_ALLOW_LOCAL_WRITE),
                      STATUS_SUCCESS);
        expect(b_.initiated.get(), STATUS_SUCCESS);
    }
    void invalidate() {
        ASSERT_STATUS(b_.queue_pair->Dispatch->NdkInvalidate(b_.queue_pair.get(), tag(2), &region_->Header,
                                                             NDK_OP_FLAG_READ_FENCE),
                      STATUS_SUCCESS);
        expect(b_.initiated.get(), STATUS_SUCCESS);
    }
    // Byte `at` of the registration.
    NDK_SGE part(ULONG at, ULONG bytes) {
        return sge(reinterpret_cast<void*>(kBase + at), bytes,
                   region_->Dispatch->NdkGetLocalTokenFromMr(region_.get()));
    }
    static void expect(NDK_CQ* queue, NTSTATUS status) { EXPECT_STATUS(next_result(queue).Status, status); }
    // Around the border of its pages.
    void fill(std::byte first, std::byte second) {
        std::memset(pages_->bytes + 3 * kPage, static_cast<int>(first), kPage);
        std::memset(pages_->bytes + 1 * kPage, static_cast<int>(second), kPage);
    }
    void expect_at_peer(ULONG offset, std::byte first, std::byte second) {
        const std::byte* const got = a_.memory->data() + offset;
        EXPECT_EQ(std::count(got, got + 100, first), 100);
        EXPECT_EQ(std::count(got + 100, got + 300, second), 200);
    }

    std::unique_ptr<Pages> pages_ = std::make_unique<Pages>();
    alignas(NDK_LOGICAL_ADDRESS_MAPPING) std::byte room_[24 + 7 * 8];
    Pair pair_{SideOptions{.inline_bytes = 0}};
    Side& a_ = pair_.a;
    Side& b_ = pair_.b;
    Owned<NDK_MR> region_;
};
OPENND_OVER_EACH_TRANSPORT(NdkFastHere);

TEST_P(NdkFastHere, MessagesAndWritesComeFromItsPagesInTheirOrder) {
    proves("NDK-QP-FREG-01", "NDK-QP-FREG-02", "NDK-MR-FRMR-02", "NDK-LAM-11");
    for (const std::byte value : {std::byte{0x30}, std::byte{0x50}}) {  // the token stays through both
        const std::byte next{static_cast<unsigned char>(static_cast<unsigned char>(value) + 1)};
        fill(value, next);
        ASSERT_NO_FATAL_FAILURE(enroll());
        const NDK_SGE border = part(kRest - 100, 300);
        ASSERT_STATUS(a_.receive(3, 0, 512), STATUS_SUCCESS);
        ASSERT_STATUS(b_.queue_pair->Dispatch->NdkSend(b_.queue_pair.get(), tag(4), &border, 1, 0), STATUS_SUCCESS);
        expect(a_.received.get(), STATUS_SUCCESS);
        expect(b_.initiated.get(), STATUS_SUCCESS);
        expect_at_peer(0, value, next);
        ASSERT_STATUS(b_.queue_pair->Dispatch->NdkWrite(b_.queue_pair.get(), tag(5), &border, 1, a_.address(4096),
                                                        a_.remote_token, 0),
                      STATUS_SUCCESS);
        ASSERT_STATUS(a_.receive(6, 0, 64), STATUS_SUCCESS);
        ASSERT_STATUS(b_.send(7, 0, 8), STATUS_SUCCESS);  // behind the Write
        expect(a_.received.get(), STATUS_SUCCESS);
        for (int i = 0; i < 2; ++i) expect(b_.initiated.get(), STATUS_SUCCESS);
        expect_at_peer(4096, value, next);
        ASSERT_NO_FATAL_FAILURE(invalidate());
    }
}

TEST_P(NdkFastHere, MessagesAndReadsFillItsPages) {
    proves("NDK-QP-FREG-01", "NDK-QP-FREG-05", "NDK-LAM-11");
    fill(std::byte{0}, std::byte{0});
    ASSERT_NO_FATAL_FAILURE(enroll());
    std::memset(a_.memory->data(), 0x77, 300);
    std::memset(a_.memory->data() + 4096, 0x78, 64);
    const NDK_SGE border = part(kRest - 100, 300), within = part(kRest + 1000, 64);
    ASSERT_STATUS(b_.queue_pair->Dispatch->NdkReceive(b_.queue_pair.get(), tag(3), &border, 1), STATUS_SUCCESS);
    ASSERT_STATUS(a_.send(4, 0, 300), STATUS_SUCCESS);
    expect(b_.received.get(), STATUS_SUCCESS);
    const std::byte* const first = pages_->bytes + 4 * kPage - 100;
    EXPECT_EQ(std::count(first, first + 100, std::byte{0x77}), 100);
    EXPECT_EQ(std::count(pages_->bytes + kPage, pages_->bytes + kPage + 200, std::byte{0x77}), 200);
    ASSERT_STATUS(
        b_.queue_pair->Dispatch->NdkRead(b_.queue_pair.get(), tag(5), &within, 1, a_.address(4096), a_.remote_token, 0),
        STATUS_SUCCESS);
    expect(b_.initiated.get(), STATUS_SUCCESS);
    const std::byte* const read = pages_->bytes + kPage + 1000;
    EXPECT_EQ(std::count(read, read + 64, std::byte{0x78}), 64);
    EXPECT_EQ(read[64], std::byte{0});
}

TEST_P(NdkFastHere, ARequestBehindItsEndFails) {
    proves("NDK-QP-INV-01", "NDK-QP-INV-05");
    ASSERT_NO_FATAL_FAILURE(enroll());
    ASSERT_NO_FATAL_FAILURE(invalidate());
    const NDK_SGE late = part(0, 8);
    ASSERT_STATUS(a_.receive(3, 0, 64), STATUS_SUCCESS);
    NTSTATUS outcome = b_.queue_pair->Dispatch->NdkSend(b_.queue_pair.get(), tag(4), &late, 1, 0);
    if (outcome == STATUS_SUCCESS) outcome = next_result(b_.initiated.get()).Status;
    EXPECT_STATUS(outcome, STATUS_ACCESS_VIOLATION);
}

}  // namespace
}  // namespace opennd::ndk_test
