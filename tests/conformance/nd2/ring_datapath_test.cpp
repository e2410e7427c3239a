// SPDX-License-Identifier: MIT
//
// A datapath over rings in miniature, as a QUIC library does it that asks for immediate data: a listener, two queue pairs, an exchange
// of rings behind memory windows, then datagrams by Writes with immediate data that say where in the ring they lie. All
// by the vendor's names (mana_ndspi.h). Runs over every transport.
#include <mana_ndspi.h>

#include <array>
#include <cstring>

#include "conformance/nd2/nd2_test.h"
#include "conformance/request/immediate.h"
#include "conformance/vocabulary/fixture.h"

namespace opennd::conformance::nd2 {
namespace {

constexpr std::uint32_t kRing = 4096, kReceives = 32;
constexpr std::size_t kMessages = 600;

// What each side tells the other first.
struct Hello {
    UINT64 address;
    UINT32 capacity, token;
};

// The place of a datagram in the ring, in the 32 bits of its Write.
constexpr UINT32 place_of(std::uint32_t offset, std::uint32_t length) { return offset << 16 | length; }

// A number of bytes for the datagram of this number, and their content.
constexpr std::uint32_t length_of(std::size_t number) { return 1 + static_cast<std::uint32_t>(number * 131 % 700); }

class Side {
public:
    Side() {
        support::require(adapter_->CreateOverlappedFile(&file_), ND_SUCCESS, "CreateOverlappedFile");
        for (auto* queue : {&received_, &sent_})
            support::require(
                adapter_->CreateCompletionQueue(IID_IND2ManaCompletionQueue, file_, 128, 0, 0, queue->out()),
                ND_SUCCESS, "CreateCompletionQueue");
        support::require(adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, region_.out()), ND_SUCCESS,
                         "CreateMemoryRegion");
        support::require(adapter_->CreateMemoryWindow(IID_IND2MemoryWindow, window_.out()), ND_SUCCESS,
                         "CreateMemoryWindow");
        support::require(adapter_->CreateQueuePair(IID_IND2ManaQueuePair, received_.get(), sent_.get(), this, kReceives,
                                                   64, 1, 1, 0, pair_.out()),
                         ND_SUCCESS, "CreateQueuePair");
        support::require(adapter_->CreateConnector(IID_IND2Connector, file_, connector_.out()), ND_SUCCESS,
                         "CreateConnector");
        OverlappedRequest request;
        support::require(
            finish(region_->Register(memory_.data(), memory_.size(),
                                     ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_WRITE, request.get()),
                   request, region_.get()),
            ND_SUCCESS, "Register");
    }
    ~Side() {
        OverlappedRequest request;
        (void)finish(connector_->Disconnect(request.get()), request, connector_.get());
        pair_.reset();
        (void)finish(region_->Deregister(request.get()), request, region_.get());
        opennd_handle_close(file_);
    }

    IND2Adapter* adapter() { return adapter_.get(); }
    IND2Connector* connector() { return connector_.get(); }
    IND2ManaQueuePair* pair() { return pair_.get(); }
    HANDLE file() const { return file_; }

    // Shows the peer the ring through a window, and takes the peer's.
    void exchange_hellos(Side& peer) {
        bind_ring();
        const Hello own{reinterpret_cast<UINT64>(ring()), kRing, window_->GetRemoteToken()};
        std::memcpy(hello_out(), &own, sizeof own);
        const ND2_SGE sge = entry(hello_out(), sizeof own);
        ASSERT_TRUE(is(pair_->Send(this, &sge, 1, 0), ND_SUCCESS));
        const ND2_MANA_RESULT got = peer.next_received();
        ASSERT_TRUE(is(got.Status, ND_SUCCESS));
        ASSERT_EQ(got.RequestType, Nd2ManaRequestTypeRecv);
        ASSERT_EQ(got.BytesTransferred, sizeof own);
        ASSERT_EQ(got.QueuePairContext, &peer);
        std::memcpy(&peer.peer_, peer.hello_in(), sizeof peer.peer_);
        ASSERT_EQ(next_sent().RequestType, Nd2ManaRequestTypeSend);
    }
    void post_hello_receive() {
        const ND2_SGE sge = entry(hello_in(), sizeof(Hello));
        ASSERT_TRUE(is(pair_->Receive(this, &sge, 1), ND_SUCCESS));
    }
    void post_receives() {
        for (std::uint32_t i = 0; i < kReceives; ++i) post_receive();
    }

    // Writes the next datagram into the peer's ring. Returns false if that has no room for it now.
    bool send_next() {
        const std::uint32_t length = length_of(sent_messages_);
        std::uint32_t skipped = 0, offset = tail_;
        if (offset + length > kRing) {  // it does not fit before the end: the rest of the ring stays empty
            skipped = kRing - offset;
            offset = 0;
        }
        if (used_ + skipped + length > kRing || in_flight_ == kReceives / 2) return false;
        fill_pattern({send_ring() + offset, length}, sent_messages_);
        const ND2_SGE sge = entry(send_ring() + offset, length);
        EXPECT_TRUE(is(
            pair_->WriteWithImmediate(this, &sge, 1, peer_.address + offset, peer_.token, 0, place_of(offset, length)),
            ND_SUCCESS));
        wraps_ += skipped != 0;
        tail_ = offset + length;
        used_ += skipped + length;
        ++in_flight_;
        ++sent_messages_;
        return true;
    }

    // Takes one result of a receive, if there is one: a datagram, which is checked and given back, or room in the peer's ring.
    void take_received() {
        ND2_MANA_RESULT result{};
        if (received_->GetManaResults(&result, 1) == 0) return;
        ASSERT_TRUE(is(result.Status, ND_SUCCESS));
        post_receive();
        const std::uint32_t offset = result.ImmediateDataOrRKey >> 16, length = result.ImmediateDataOrRKey & 0xFFFF;
        if (result.RequestType ==
            Nd2ManaRequestTypeRecvWithImmediate) {  // the peer has read a datagram that ended there
            const std::uint32_t end = offset;
            used_ -= end >= head_ ? end - head_ : kRing - head_ + end;
            head_ = end;
            --in_flight_;
            return;
        }
        ASSERT_EQ(result.RequestType, Nd2ManaRequestTypeRecvRdmaWithImmediate);
        ASSERT_EQ(length, length_of(taken_messages_));
        ASSERT_EQ(result.BytesTransferred, length);
        ASSERT_TRUE(has_pattern({ring() + offset, length}, taken_messages_)) << "datagram " << taken_messages_;
        ++taken_messages_;
        ASSERT_TRUE(
            is(pair_->SendWithImmediate(this, nullptr, 0, ND_OP_FLAG_SILENT_SUCCESS, place_of(offset + length, 0)),
               ND_SUCCESS));
    }
    void take_sent() {
        ND2_MANA_RESULT results[16];
        const ULONG count = sent_->GetManaResults(results, 16);
        for (ULONG i = 0; i < count; ++i) {
            ASSERT_TRUE(is(results[i].Status, ND_SUCCESS));
            ASSERT_EQ(results[i].RequestType, Nd2ManaRequestTypeWrite);
        }
    }
    std::size_t sent_messages() const { return sent_messages_; }
    std::size_t taken_messages() const { return taken_messages_; }
    int wraps() const { return wraps_; }

private:
    std::byte* ring() { return memory_.data(); }
    std::byte* send_ring() { return memory_.data() + kRing; }
    std::byte* hello_in() { return memory_.data() + 2 * kRing; }
    std::byte* hello_out() { return hello_in() + sizeof(Hello); }
    ND2_SGE entry(std::byte* at, std::size_t bytes) {
        return {at, static_cast<ULONG>(bytes), region_->GetLocalToken()};
    }
    void post_receive() { ASSERT_TRUE(is(pair_->Receive(this, nullptr, 0), ND_SUCCESS)); }
    void bind_ring() {
        ASSERT_TRUE(
            is(pair_->Bind(this, region_.get(), window_.get(), ring(), kRing, ND_OP_FLAG_ALLOW_WRITE), ND_SUCCESS));
        ASSERT_EQ(next_sent().RequestType, Nd2ManaRequestTypeBind);
    }
    ND2_MANA_RESULT next_received() { return next(*received_.get()); }
    ND2_MANA_RESULT next_sent() { return next(*sent_.get()); }
    static ND2_MANA_RESULT next(IND2ManaCompletionQueue& queue) {
        ND2_MANA_RESULT result{};
        result.Status = ND_PENDING;
        (void)wait_until([&] { return queue.GetManaResults(&result, 1) == 1; });
        return result;
    }

    ComPtr<IND2Adapter> adapter_ = support::open_loopback_adapter();
    HANDLE file_ = nullptr;
    std::array<std::byte, 2 * kRing + 2 * sizeof(Hello)> memory_{};
    ComPtr<IND2ManaCompletionQueue> received_, sent_;
    ComPtr<IND2MemoryRegion> region_;
    ComPtr<IND2MemoryWindow> window_;
    ComPtr<IND2ManaQueuePair> pair_;
    ComPtr<IND2Connector> connector_;

    Hello peer_{};
    // Of the peer's ring: the end of the newest datagram there, of the newest that was read, and the bytes between, with those
    // that were left empty.
    std::uint32_t tail_ = 0, head_ = 0, used_ = 0, in_flight_ = 0;
    std::size_t sent_messages_ = 0, taken_messages_ = 0;
    int wraps_ = 0;
};

class RingDatapath : public ConformanceTest {
protected:
    void SetUp() override {
        if (const char* const why = lacks_immediate(driver())) GTEST_SKIP() << why;
    }
    static void connect(Side& active, Side& passive) {
        ComPtr<IND2Listener> listener;
        ASSERT_TRUE(
            is(passive.adapter()->CreateListener(IID_IND2Listener, passive.file(), listener.out()), ND_SUCCESS));
        SocketAddress address = loopback_address();
        ASSERT_TRUE(is(listener->Bind(as_sockaddr(address), sizeof address), ND_SUCCESS));
        ASSERT_TRUE(is(listener->Listen(0), ND_SUCCESS));
        ULONG size = sizeof address;
        ASSERT_TRUE(is(listener->GetLocalAddress(as_sockaddr(address), &size), ND_SUCCESS));
        OverlappedRequest asked, connected, accepted;
        ASSERT_TRUE(is(listener->GetConnectionRequest(passive.connector(), asked.get()), ND_PENDING));
        const SocketAddress own = loopback_address();
        ASSERT_TRUE(is(active.connector()->Bind(as_sockaddr(own), sizeof own), ND_SUCCESS));
        ASSERT_TRUE(is(active.connector()->Connect(active.pair(), as_sockaddr(address), sizeof address, 0, 0, nullptr,
                                                   0, connected.get()),
                       ND_PENDING));
        ASSERT_TRUE(is(asked.wait(listener.get()), ND_SUCCESS));
        ASSERT_TRUE(is(passive.connector()->Accept(passive.pair(), 0, 0, nullptr, 0, accepted.get()), ND_PENDING));
        ASSERT_TRUE(is(connected.wait(active.connector()), ND_SUCCESS));
        OverlappedRequest completed;
        ASSERT_TRUE(is(finish(active.connector()->CompleteConnect(completed.get()), completed, active.connector()),
                       ND_SUCCESS));
        ASSERT_TRUE(is(accepted.wait(passive.connector()), ND_SUCCESS));
    }
};

TEST_P(RingDatapath, CarriesDatagramsBothWaysAndWrapsAround) {
    proves("ND2-IMM-COM-01", "ND2-IMM-WRITE-01", "ND2-IMM-WRITE-02", "ND2-IMM-RES-01", "ND2-IMM-DATA-01");
    Side active, passive;
    for (Side* side : {&active, &passive}) side->post_hello_receive();
    ASSERT_NO_FATAL_FAILURE(connect(active, passive));
    ASSERT_NO_FATAL_FAILURE(active.exchange_hellos(passive));
    ASSERT_NO_FATAL_FAILURE(passive.exchange_hellos(active));
    for (Side* side : {&active, &passive}) side->post_receives();
    ASSERT_TRUE(wait_until([&] {
        for (Side* side : {&active, &passive}) {
            while (side->sent_messages() < kMessages && side->send_next()) continue;
            side->take_received();
            side->take_sent();
        }
        return HasFatalFailure() || (active.taken_messages() == kMessages && passive.taken_messages() == kMessages);
    }));
    EXPECT_GT(active.wraps(), 10);
    EXPECT_GT(passive.wraps(), 10);
}

INSTANTIATE_TEST_SUITE_P(, RingDatapath, testing::ValuesIn(variants_of("Nd2")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd2
