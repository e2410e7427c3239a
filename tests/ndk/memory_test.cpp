// SPDX-License-Identifier: MIT
//
// MDLs, their registrations, and logical address mappings.
#include <cstring>

#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

struct alignas(4096) Pages {
    std::byte bytes[4 * 4096];
};

class NdkMemory : public testing::Test {
protected:
    NTSTATUS enroll(MDL* mdl, SIZE_T bytes, ULONG flags = kAllRights) {
        return region_->Dispatch->NdkRegisterMr(region_.get(), mdl, bytes, flags, nullptr, nullptr);
    }
    NTSTATUS withdraw() { return region_->Dispatch->NdkDeregisterMr(region_.get(), nullptr, nullptr); }
    UINT32 remote_token() { return region_->Dispatch->NdkGetRemoteTokenFromMr(region_.get()); }
    UINT32 local_token() { return region_->Dispatch->NdkGetLocalTokenFromMr(region_.get()); }

    NdkMemory() {
        EXPECT_STATUS(domain_->Dispatch->NdkCreateMr(domain_.get(), FALSE, nullptr, nullptr, region_.out()),
                      STATUS_SUCCESS);
    }

    std::unique_ptr<Pages> pages_ = std::make_unique<Pages>();
    Adapter adapter_;
    Owned<NDK_PD> domain_ = adapter_.create_domain();
    Owned<NDK_MR> region_;
};

TEST_F(NdkMemory, RegistersAChainOfMdlsAsOneRange) {
    proves("NDK-MR-REG-01", "NDK-MR-REG-02", "NDK-MDL-01", "NDK-MDL-02", "NDK-MDL-04", "NDK-MR-TOK-01",
           "NDK-MR-TOK-03");
    EXPECT_EQ(remote_token(), 0u);
    EXPECT_EQ(local_token(), 0u);
    {
        Mdl first(pages_->bytes + 100, 5000), empty(pages_->bytes + 5100, 0), last(pages_->bytes + 5100, 3000);
        first.followed_by(empty.followed_by(last));
        EXPECT_STATUS(enroll(first.get(), 8001), STATUS_INVALID_PARAMETER) << "more than the chain has";
        EXPECT_STATUS(enroll(first.get(), 8000), STATUS_SUCCESS);
    }
    EXPECT_NE(remote_token(), 0u);
    EXPECT_NE(local_token(), 0u);
    Mdl again(pages_->bytes, 10);
    EXPECT_STATUS(enroll(again.get(), 10), STATUS_INVALID_DEVICE_STATE);
    EXPECT_STATUS(withdraw(), STATUS_SUCCESS);
    EXPECT_STATUS(withdraw(), STATUS_INVALID_DEVICE_REQUEST);
    EXPECT_STATUS(enroll(again.get(), 10), STATUS_SUCCESS);
}

TEST_F(NdkMemory, RefusesWhatIsNoStretchOfMemory) {
    proves("NDK-MDL-01", "NDK-MDL-02", "NDK-MR-REG-03");
    Mdl first(pages_->bytes, 100), apart(pages_->bytes + 200, 100);
    first.followed_by(apart);
    EXPECT_STATUS(enroll(first.get(), 150), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(enroll(first.get(), 100), STATUS_SUCCESS) << "what is behind the length does not matter";
    EXPECT_STATUS(withdraw(), STATUS_SUCCESS);
    EXPECT_STATUS(enroll(nullptr, 1), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(enroll(first.get(), 0), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(enroll(first.get(), 100, 0x10), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(enroll(first.get(), 100, 4 | NDK_MR_FLAG_RDMA_READ_SINK), STATUS_SUCCESS);
    EXPECT_STATUS(withdraw(), STATUS_SUCCESS);
    Mdl half(pages_->bytes, 100, Mdl::Frames::filled), rest(pages_->bytes + 100, 100, Mdl::Frames::filled);
    half.followed_by(rest);
    rest.frames()[0] += 1;
    EXPECT_STATUS(enroll(half.get(), 200), STATUS_INVALID_PARAMETER) << "two pages for one";
    Mdl zero(nullptr, 100, Mdl::Frames::filled);
    EXPECT_STATUS(enroll(zero.get(), 100), STATUS_INVALID_PARAMETER) << "no zero-based regions";
}

TEST_F(NdkMemory, MapsPagesByTheSizeProtocol) {
    proves("NDK-LAM-01", "NDK-LAM-02", "NDK-LAM-03", "NDK-LAM-04", "NDK-LAM-05", "NDK-LAM-07", "NDK-LAM-08",
           "NDK-LAM-09", "NDK-CONS-20", "NDK-CONS-21", "NDK-CONS-22", "NDK-CONS-23");
    const auto build = adapter_.call().NdkBuildLAM;
    Mdl mdl(pages_->bytes + 4080, 32, Mdl::Frames::filled);
    ULONG bytes = 0, first_byte = 0;
    EXPECT_STATUS(build(adapter_.get(), mdl.get(), 32, nullptr, nullptr, nullptr, &bytes, &first_byte),
                  STATUS_BUFFER_TOO_SMALL);
    EXPECT_EQ(bytes, 32u);
    alignas(NDK_LOGICAL_ADDRESS_MAPPING) std::byte room[32];
    auto* const mapping = reinterpret_cast<NDK_LOGICAL_ADDRESS_MAPPING*>(room);
    bytes = 31;
    EXPECT_STATUS(build(adapter_.get(), mdl.get(), 32, nullptr, nullptr, mapping, &bytes, &first_byte),
                  STATUS_BUFFER_TOO_SMALL);
    bytes = (2 - 1) * 8 + 24;
    EXPECT_STATUS(build(adapter_.get(), mdl.get(), 32, nullptr, nullptr, nullptr, &bytes, &first_byte),
                  STATUS_INVALID_PARAMETER);
    bytes = (2 - 1) * 8 + 24;
    ASSERT_STATUS(build(adapter_.get(), mdl.get(), 32, nullptr, nullptr, mapping, &bytes, &first_byte), STATUS_SUCCESS);
    EXPECT_EQ(first_byte, 4080u);
    EXPECT_EQ(mapping->AdapterPageCount, 2u);
    EXPECT_NE(mapping->AdapterContext, nullptr);
    EXPECT_EQ(mapping->AdapterPageArray[0].QuadPart, reinterpret_cast<LONGLONG>(pages_->bytes));
    EXPECT_EQ((mapping->AdapterPageArray + 1)->QuadPart, reinterpret_cast<LONGLONG>(pages_->bytes + 4096));
    adapter_.call().NdkReleaseLAM(adapter_.get(), mapping);
    EXPECT_STATUS(build(adapter_.get(), nullptr, 32, nullptr, nullptr, mapping, &bytes, &first_byte),
                  STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(build(adapter_.get(), mdl.get(), 0, nullptr, nullptr, mapping, &bytes, &first_byte),
                  STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(build(adapter_.get(), mdl.get(), 32, nullptr, nullptr, mapping, nullptr, &first_byte),
                  STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(build(adapter_.get(), mdl.get(), 32, nullptr, nullptr, mapping, &bytes, nullptr),
                  STATUS_INVALID_PARAMETER);
}

class NdkRegistered : public NdkTest {};
OPENND_OVER_EACH_TRANSPORT(NdkRegistered);

TEST_P(NdkRegistered, WorkOnWhatIsNotRegisteredAnyMoreIsAViolation) {
    proves("NDK-MR-REG-05", "NDK-MR-REG-07", "NDK-QP-POST-07");
    Pair pair;
    ASSERT_STATUS(pair.a.region->Dispatch->NdkDeregisterMr(pair.a.region.get(), nullptr, nullptr), STATUS_SUCCESS);
    EXPECT_STATUS(pair.a.send(1, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair.a.initiated.get()).Status, STATUS_ACCESS_VIOLATION);
}

TEST_P(NdkRegistered, TokensOfAnotherDomainGrantNothing) {
    proves("NDK-PD-01");
    Pair pair;
    Owned<NDK_PD> other = pair.a.adapter.create_domain();
    Owned<NDK_MR> region;
    ASSERT_STATUS(other->Dispatch->NdkCreateMr(other.get(), FALSE, nullptr, nullptr, region.out()), STATUS_SUCCESS);
    // Many, so that the token is none that the other domain has as well.
    std::vector<Owned<NDK_MR>> regions(8);
    UINT32 token = 0;
    for (Owned<NDK_MR>& each : regions) {
        ASSERT_STATUS(other->Dispatch->NdkCreateMr(other.get(), FALSE, nullptr, nullptr, each.out()), STATUS_SUCCESS);
        Mdl mdl(pair.a.memory->data(), 4096);
        ASSERT_STATUS(each->Dispatch->NdkRegisterMr(each.get(), mdl.get(), 4096, kAllRights, nullptr, nullptr),
                      STATUS_SUCCESS);
        token = each->Dispatch->NdkGetLocalTokenFromMr(each.get());
    }
    const NDK_SGE entry = sge(pair.a.memory->data(), 64, token);
    EXPECT_STATUS(pair.a.queue_pair->Dispatch->NdkSend(pair.a.queue_pair.get(), tag(1), &entry, 1, 0), STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair.a.initiated.get()).Status, STATUS_ACCESS_VIOLATION);
}

}  // namespace
}  // namespace opennd::ndk_test
