// SPDX-License-Identifier: MIT
//
// Memory windows: tokens for parts of regions, and the closes that they hold up.
#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

class NdkWindow : public NdkTest {
protected:
    NdkWindow() {
        EXPECT_STATUS(b_.domain->Dispatch->NdkCreateMw(b_.domain.get(), nullptr, nullptr, window_.out()),
                      STATUS_SUCCESS);
    }

    NTSTATUS bind(ULONG offset, ULONG bytes, ULONG flags) {
        const NTSTATUS status = b_.queue_pair->Dispatch->NdkBind(
            b_.queue_pair.get(), tag(1), b_.region.get(), window_.get(), b_.memory->data() + offset, bytes, flags);
        return status == STATUS_SUCCESS ? next_result(b_.initiated.get()).Status : status;
    }
    NTSTATUS invalidate() {
        const NTSTATUS status =
            b_.queue_pair->Dispatch->NdkInvalidate(b_.queue_pair.get(), tag(2), &window_->Header, 0);
        return status == STATUS_SUCCESS ? next_result(b_.initiated.get()).Status : status;
    }
    UINT32 token() { return window_->Dispatch->NdkGetRemoteTokenFromMw(window_.get()); }
    NTSTATUS write(UINT32 token, ULONG offset) {
        const NDK_SGE entry = a_.part(0, 64);
        EXPECT_STATUS(
            a_.queue_pair->Dispatch->NdkWrite(a_.queue_pair.get(), tag(3), &entry, 1, b_.address(offset), token, 0),
            STATUS_SUCCESS);
        // A Read behind it shows its outcome, also where a Write is acknowledged before it is placed.
        const NTSTATUS written = next_result(a_.initiated.get()).Status;
        if (written != STATUS_SUCCESS) return written;
        const NDK_SGE sink = a_.part(1024, 1);
        EXPECT_STATUS(
            a_.queue_pair->Dispatch->NdkRead(a_.queue_pair.get(), tag(4), &sink, 1, b_.address(0), b_.remote_token, 0),
            STATUS_SUCCESS);
        return next_result(a_.initiated.get()).Status;
    }

    Pair pair_;
    Side& a_ = pair_.a;
    Side& b_ = pair_.b;
    Owned<NDK_MW> window_;
};
OPENND_OVER_EACH_TRANSPORT(NdkWindow);

constexpr ULONG kBoth = NDK_OP_FLAG_ALLOW_REMOTE_READ | NDK_OP_FLAG_ALLOW_REMOTE_WRITE;

TEST_P(NdkWindow, BindsAreChecked) {
    proves("NDK-QP-BIND-02", "NDK-QP-INV-02", "NDK-PD-01");
    EXPECT_STATUS(bind(0, 0, kBoth), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(bind(4096, kMemory, kBoth), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(bind(0, 64, 0), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(bind(0, 64, NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT | kBoth), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(b_.queue_pair->Dispatch->NdkInvalidate(b_.queue_pair.get(), nullptr, &b_.region->Header, 0),
                  STATUS_INVALID_PARAMETER)
        << "a region that is registered otherwise";
    Owned<NDK_PD> other = b_.adapter.create_domain();
    Owned<NDK_MW> foreign;
    ASSERT_STATUS(other->Dispatch->NdkCreateMw(other.get(), nullptr, nullptr, foreign.out()), STATUS_SUCCESS);
    EXPECT_STATUS(b_.queue_pair->Dispatch->NdkInvalidate(b_.queue_pair.get(), nullptr, &foreign->Header, 0),
                  STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(b_.queue_pair->Dispatch->NdkBind(b_.queue_pair.get(), nullptr, b_.region.get(), foreign.get(),
                                                   b_.memory->data(), 64, kBoth),
                  STATUS_INVALID_PARAMETER);
}

TEST_P(NdkWindow, ARegionWithoutLocalWriteIsNotOpenedForWriting) {
    proves("NDK-QP-BIND-03");
    ASSERT_STATUS(b_.region->Dispatch->NdkDeregisterMr(b_.region.get(), nullptr, nullptr), STATUS_SUCCESS);
    Mdl mdl(b_.memory->data(), kMemory);
    ASSERT_STATUS(b_.region->Dispatch->NdkRegisterMr(b_.region.get(), mdl.get(), kMemory, 0, nullptr, nullptr),
                  STATUS_SUCCESS);
    EXPECT_STATUS(bind(0, 64, NDK_OP_FLAG_ALLOW_REMOTE_WRITE), STATUS_ACCESS_VIOLATION);
    EXPECT_STATUS(bind(0, 64, NDK_OP_FLAG_ALLOW_REMOTE_READ), STATUS_SUCCESS) << "without remote rights of its own";
}

TEST_P(NdkWindow, HoldsUpTheEndOfItsRegion) {
    proves("NDK-MR-REG-06", "NDK-MW-05");
    EXPECT_STATUS(bind(0, 64, kBoth), STATUS_SUCCESS);
    EXPECT_STATUS(b_.region->Dispatch->NdkDeregisterMr(b_.region.get(), nullptr, nullptr), STATUS_INVALID_DEVICE_STATE);
    Calls closed;
    EXPECT_STATUS(begin_close(b_.region.give_up(), closed), STATUS_PENDING);
    EXPECT_EQ(closed.count(), 0);
    EXPECT_STATUS(invalidate(), STATUS_SUCCESS);
    EXPECT_STATUS(closed.next(), STATUS_SUCCESS);
}

TEST_P(NdkWindow, WhatIsNotBoundCannotBeTakenBack) {
    proves("NDK-QP-INV-03");
    EXPECT_STATUS(invalidate(), STATUS_INVALID_DEVICE_REQUEST);
}

TEST_P(NdkWindow, OpensAPartOfARegionByATokenOfItsOwn) {
    proves("NDK-MW-02", "NDK-MW-03", "NDK-QP-BIND-01", "NDK-QP-INV-01");
    EXPECT_EQ(token(), 0u);
    EXPECT_STATUS(bind(4096, 4096, kBoth), STATUS_SUCCESS);
    EXPECT_NE(token(), 0u);
    EXPECT_NE(token(), b_.remote_token);
    EXPECT_STATUS(write(token(), 4096), STATUS_SUCCESS);
    const UINT32 before = token();
    EXPECT_STATUS(invalidate(), STATUS_SUCCESS);
    EXPECT_NE(write(before, 4096), STATUS_SUCCESS);
}

TEST_P(NdkWindow, ASecondBindTakesThePlaceOfTheFirst) {
    proves("NDK-MW-04");
    EXPECT_STATUS(bind(0, 4096, kBoth), STATUS_SUCCESS);
    const UINT32 first = token();
    EXPECT_STATUS(bind(8192, 4096, kBoth), STATUS_SUCCESS);
    EXPECT_NE(token(), first);
    EXPECT_STATUS(write(token(), 8192), STATUS_SUCCESS);
    EXPECT_NE(write(first, 0), STATUS_SUCCESS);
}

// A second connection of the same domain; its peer has come to know the token.
class NdkWindowOfAnother : public NdkWindow {
protected:
    NdkWindowOfAnother() {
        EXPECT_STATUS(b_.domain->Dispatch->NdkCreateQp(b_.domain.get(), b_.received.get(), b_.initiated.get(), nullptr,
                                                       kDepth, kDepth, 4, 4, 0, nullptr, nullptr, second_.out()),
                      STATUS_SUCCESS);
        first_connector_ = std::exchange(b_.connector, {});
        std::swap(b_.queue_pair, second_);
        connect();
        std::swap(b_.queue_pair, second_);
    }
    void connect() {
        Host host(b_.adapter);
        Calls connected, accepted;
        ASSERT_STATUS(begin_connect(stranger_, host, connected), STATUS_PENDING);
        b_.connector = host.next();
        ASSERT_STATUS(accept(b_, accepted), STATUS_PENDING);
        ASSERT_STATUS(connected.next(), STATUS_SUCCESS);
        ASSERT_STATUS(connected.end(stranger_.connector->Dispatch->NdkCompleteConnect(
                          stranger_.connector.get(), nullptr, nullptr, Calls::request, &connected)),
                      STATUS_SUCCESS);
        ASSERT_STATUS(accepted.next(), STATUS_SUCCESS);
        host.listener = {};
    }
    enum class Request { read, write };
    enum class Memory { in_place, paged };  // paged: elsewhere than its addresses say

    static UINT64 address_of(const std::byte* place, Memory memory) {
        return memory == Memory::paged ? 0x7000 : reinterpret_cast<UINT64>(place);
    }
    // A window over one page; the region's own token opens nothing.
    void open_page(UINT64 address) {
        ASSERT_STATUS(b_.domain->Dispatch->NdkCreateMr(b_.domain.get(), FALSE, nullptr, nullptr, region_.out()),
                      STATUS_SUCCESS);
        Mdl mdl(reinterpret_cast<const void*>(address), kPage, Mdl::Frames::filled);
        mdl.frames()[0] = reinterpret_cast<ULONG_PTR>(page_->bytes) / kPage;
        ASSERT_STATUS(region_->Dispatch->NdkRegisterMr(region_.get(), mdl.get(), kPage, NDK_MR_FLAG_ALLOW_LOCAL_WRITE,
                                                       nullptr, nullptr),
                      STATUS_SUCCESS);
        ASSERT_STATUS(b_.queue_pair->Dispatch->NdkBind(b_.queue_pair.get(), tag(1), region_.get(), window_.get(),
                                                       reinterpret_cast<PVOID>(address), kPage, kBoth),
                      STATUS_SUCCESS);
        ASSERT_STATUS(next_result(b_.initiated.get()).Status, STATUS_SUCCESS);
    }
    NTSTATUS transfer(Side& by, Request request, UINT64 address) {
        const NDK_SGE entry = by.part(0, 64);
        const auto& call = *by.queue_pair->Dispatch;
        const auto post = request == Request::write ? call.NdkWrite : call.NdkRead;
        EXPECT_STATUS(post(by.queue_pair.get(), tag(3), &entry, 1, address, token(), 0), STATUS_SUCCESS);
        return next_result(by.initiated.get()).Status;
    }
    void expect_closed_to_stranger(Request request, Memory memory) {
        const UINT64 address = address_of(page_->bytes, memory);
        open_page(address);
        std::byte* const source = request == Request::write ? stranger_.memory->data() : page_->bytes;
        const std::byte* const target = request == Request::write ? page_->bytes : stranger_.memory->data();
        *source = std::byte{0x5A};
        EXPECT_STATUS(transfer(stranger_, request, address), STATUS_ACCESS_VIOLATION);
        EXPECT_EQ(*target, std::byte{0});
        EXPECT_STATUS(transfer(a_, request, address), STATUS_SUCCESS) << "its own peer may";
    }

    static constexpr ULONG kPage = 4096;
    struct alignas(kPage) Page {
        std::byte bytes[kPage]{};
    };
    std::unique_ptr<Page> page_ = std::make_unique<Page>();
    Owned<NDK_MR> region_;
    Owned<NDK_CONNECTOR> first_connector_;
    Owned<NDK_QP> second_;
    Side stranger_;
};
OPENND_OVER_EACH_TRANSPORT(NdkWindowOfAnother);

TEST_P(NdkWindowOfAnother, IsNotReadByThisOne) {
    proves("ND2-MW-03");
    expect_closed_to_stranger(Request::read, Memory::in_place);
}

TEST_P(NdkWindowOfAnother, IsNotWrittenByThisOne) {
    proves("ND2-MW-03");
    expect_closed_to_stranger(Request::write, Memory::in_place);
}

TEST_P(NdkWindowOfAnother, HasNoPagesThatThisOneReads) {
    proves("ND2-MW-03");
    expect_closed_to_stranger(Request::read, Memory::paged);
}

TEST_P(NdkWindowOfAnother, HasNoPagesThatThisOneWrites) {
    proves("ND2-MW-03");
    expect_closed_to_stranger(Request::write, Memory::paged);
}

}  // namespace
}  // namespace opennd::ndk_test
