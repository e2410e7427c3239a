// SPDX-License-Identifier: MIT
// Requests and results over a fake device, in order and within the limits.
#include "unit/transport/verbs/data_path_test.h"

#include <arpa/inet.h>

#include <cstring>
#include <future>
#include <thread>

namespace opennd::verbs {
namespace {

TEST_F(DataPathTest, SendsWritesAndReadsCarryTheirData) {
    connect_both();
    std::memcpy(here_.memory.data(), "to send", 8);
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(1024, 64)}, RequestFlags::none, 7), Status::success);
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}, RequestFlags::none, 3), Status::success);
    const auto sent = here_.poll();
    const auto received = there_.poll();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].status, Status::success);
    EXPECT_EQ(sent[0].operation, Operation::send);
    EXPECT_EQ(sent[0].request_context, reinterpret_cast<void*>(3));
    EXPECT_EQ(sent[0].queue_pair_context, &here_);
    EXPECT_EQ(sent[0].length_bytes, 8u);
    ASSERT_EQ(received.size(), 1u);
    EXPECT_EQ(received[0].length_bytes, 8u);
    EXPECT_EQ(received[0].request_context, reinterpret_cast<void*>(7));
    EXPECT_STREQ(reinterpret_cast<const char*>(there_.memory.data() + 1024), "to send");
    EXPECT_TRUE(there_.pair->heard());
    EXPECT_FALSE(here_.pair->heard());

    ASSERT_EQ(post(here_, Operation::write, {here_.entry(0, 8)}), Status::success);
    EXPECT_STREQ(reinterpret_cast<const char*>(there_.memory.data()), "to send");
    std::memcpy(there_.memory.data(), "to read", 8);
    ASSERT_EQ(post(here_, Operation::read, {here_.entry(512, 8)}), Status::success);
    EXPECT_STREQ(reinterpret_cast<const char*>(here_.memory.data() + 512), "to read");
    EXPECT_EQ(here_.poll().size(), 2u);
}

TEST_F(DataPathTest, ImmediateDataTravelInNetworkByteOrder) {  // ND2-IMM-DATA-01, ND2-IMM-WRITE-02
    connect_both();
    EXPECT_TRUE(can_.traits.carries_immediate);
    for (std::uintptr_t tag : {1, 2}) {
        ASSERT_EQ(post(there_, Operation::receive, {there_.entry(1024, 64)}, RequestFlags::none, tag), Status::success);
        const bool write = tag == 2;
        ASSERT_EQ(
            post(here_, write ? Operation::write_with_immediate : Operation::send_with_immediate, {here_.entry(0, 8)},
                 write ? RequestFlags::none : RequestFlags::solicit, tag, RequestExtra::immediate(0x01020304)),
            Status::success);
        const ibv_send_wr& sent = fake_.counts().sent.back();
        EXPECT_EQ(sent.opcode, write ? IBV_WR_RDMA_WRITE_WITH_IMM : IBV_WR_SEND_WITH_IMM);
        EXPECT_EQ(sent.imm_data, htonl(0x01020304));
        const auto received = there_.poll();
        ASSERT_EQ(received.size(), 1u);
        EXPECT_EQ(received[0].operation, Operation::receive);
        EXPECT_EQ(received[0].immediate(), 0x01020304u);
        EXPECT_EQ(has(received[0].arrival, Arrival::of_write), write);
        EXPECT_EQ(received[0].length_bytes, 8u);
        EXPECT_EQ(received[0].request_context, reinterpret_cast<void*>(tag));
        const auto done = here_.poll();
        ASSERT_EQ(done.size(), 1u);
        EXPECT_EQ(done[0].operation, write ? Operation::write_with_immediate : Operation::send_with_immediate);
        EXPECT_EQ(done[0].immediate(), 0u);
    }
}

TEST_F(DataPathTest, ImmediateDataOfAWriteWaitForAReceive) {  // ND2-IMM-WRITE-03
    connect_both();
    std::memcpy(here_.memory.data(), "placed", 7);
    ASSERT_EQ(post(here_, Operation::write_with_immediate, {here_.entry(0, 7)}, RequestFlags::none, 1,
                   RequestExtra::immediate(5)),
              Status::success);
    EXPECT_STREQ(reinterpret_cast<const char*>(there_.memory.data()), "placed");
    EXPECT_TRUE(here_.poll().empty());
    ASSERT_EQ(post(there_, Operation::receive, {}), Status::success);
    EXPECT_EQ(there_.poll().size(), 1u);
    EXPECT_EQ(here_.poll().size(), 1u);
}

// ND2-QP-POST-07, ND2-QP-RECV-02: receives are queued before a connection, requests refused.
TEST_F(DataPathTest, ReceivesWaitForAnAttemptAndSurviveItsFailure) {
    make(here_);
    EXPECT_EQ(post(here_, Operation::send, {}), Status::not_connected);
    ASSERT_EQ(post(here_, Operation::receive, {here_.entry(0, 16)}, RequestFlags::none, 1), Status::success);
    ASSERT_EQ(post(here_, Operation::receive, {here_.entry(64, 16)}, RequestFlags::none, 2), Status::success);
    EXPECT_EQ(fake_.counts().receives, 0);
    const std::uint32_t first = here_.pair->number();
    ASSERT_TRUE(here_.pair->begin_attempt(&first));
    EXPECT_EQ(fake_.counts().receives, 2);
    here_.pair->end_attempt(&fake_);  // of another connector
    EXPECT_EQ(here_.pair->number(), first);
    int polls = 0;
    fake_.after_flush = [&] {
        ++polls;
        EXPECT_TRUE(here_.poll().empty()) << "another thread's poll, while the hardware gives the receives back";
    };
    here_.pair->end_attempt(&first);
    fake_.after_flush = nullptr;
    EXPECT_EQ(polls, 1);
    EXPECT_NE(here_.pair->number(), first);
    EXPECT_EQ(here_.pair->state(), QueuePairState::idle);
    EXPECT_TRUE(here_.poll().empty());  // ND2-CON-CONN-06: nothing was flushed

    make(there_);
    join();
    EXPECT_EQ(fake_.counts().receives, 4);
    ASSERT_EQ(post(there_, Operation::send, {there_.entry(0, 4)}), Status::success);
    const auto received = here_.poll();
    ASSERT_EQ(received.size(), 1u);
    EXPECT_EQ(received[0].request_context, reinterpret_cast<void*>(1));
}

// ND2-AMB-45, ND2-CQ-GET-08: exact depths, which results free when they are retrieved.
// Those that an attempt has handed to the hardware too, which ends with it. No result of them comes.
TEST_F(DataPathTest, ReceivesAreTakenBackFromAnIdleQueuePair) {
    make(here_);
    for (const bool attempted : {false, true}) {
        for (std::uintptr_t i = 1; i <= kDepth; ++i)
            ASSERT_EQ(post(here_, Operation::receive, {here_.entry(16 * i, 16)}, RequestFlags::none, i),
                      Status::success);
        if (attempted) {
            ASSERT_TRUE(here_.pair->begin_attempt(&here_));
        }
        const std::vector<PostedReceive> taken = here_.pair->take_receives();
        ASSERT_EQ(taken.size(), kDepth);
        for (std::uintptr_t i = 1; i <= kDepth; ++i) {
            EXPECT_EQ(taken[i - 1].context, reinterpret_cast<void*>(i));
            ASSERT_EQ(taken[i - 1].sges.size(), 1u);
            EXPECT_EQ(taken[i - 1].sges[0].buffer, here_.memory.data() + 16 * i);
        }
        EXPECT_TRUE(here_.pair->take_receives().empty());
        EXPECT_TRUE(here_.poll_all().empty());
    }
    make(there_);
    join();
    ASSERT_EQ(post(here_, Operation::receive, {here_.entry(0, 16)}, RequestFlags::none, 9), Status::success);
    EXPECT_TRUE(here_.pair->take_receives().empty()) << "it is connected";
}

TEST_F(DataPathTest, DepthsAreExactAndFreedByRetrieval) {
    connect_both();
    for (std::uint32_t i = 0; i < kDepth; ++i)
        ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 16)}), Status::success);
    EXPECT_EQ(post(there_, Operation::receive, {there_.entry(0, 16)}), Status::queue_full);
    for (std::uint32_t i = 0; i < kDepth; ++i) ASSERT_EQ(post(here_, Operation::send, {}), Status::success);
    EXPECT_EQ(post(here_, Operation::send, {}), Status::queue_full);  // completed, not retrieved
    EXPECT_EQ(here_.poll(1).size(), 1u);
    EXPECT_EQ(post(here_, Operation::write, {}), Status::success);
    EXPECT_EQ(post(here_, Operation::write, {}), Status::queue_full);
    EXPECT_EQ(here_.queue->count_waiting().all, kDepth);  // through the ring from here on
    EXPECT_EQ(here_.poll(3).size(), 3u);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(post(here_, Operation::write, {}), Status::success);
    EXPECT_EQ(post(here_, Operation::write, {}), Status::queue_full);
    EXPECT_EQ(here_.poll().size(), kDepth);
    EXPECT_EQ(there_.poll().size(), kDepth);
    EXPECT_EQ(post(there_, Operation::receive, {there_.entry(0, 16)}), Status::success);
}

// NDK-MAP-12, ND2-QP-POST-13.
TEST_F(DataPathTest, SilentRequestsMakeRoomThoughNobodyPolls) {
    connect_both();
    for (const Operation operation : {Operation::write, Operation::read})
        for (int i = 0; i < 100; ++i)
            ASSERT_EQ(post(here_, operation, {here_.entry(0, 8)}, RequestFlags::silent_success), Status::success) << i;
    EXPECT_LT(fake_.counts().signalled, 100);
    EXPECT_TRUE(here_.poll().empty());
    ASSERT_EQ(post(here_, Operation::write, {here_.entry(0, 8)}, RequestFlags::none, 5), Status::success);
    const auto results = here_.poll();
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].request_context, reinterpret_cast<void*>(5));
}

// ND2-QP-POST-10: an entry of length 0 is never validated; to some devices it means 2 GiB.
TEST_F(DataPathTest, EmptyEntriesDoNotReachTheDevice) {
    connect_both();
    const Sge empty{here_.memory.data(), 0, Token{0xDEAD}};
    ASSERT_EQ(post(here_, Operation::write, {empty, here_.entry(0, 8), empty}), Status::success);
    EXPECT_EQ(fake_.counts().sent_entries.size(), 1u);
    ASSERT_EQ(post(here_, Operation::write, {empty}), Status::success);
    EXPECT_TRUE(fake_.counts().sent_entries.empty());
    for (const Completion& each : here_.poll()) EXPECT_EQ(each.status, Status::success);
}

// ND2-QP-SEND-04: inline data need no token, and may have any number of entries.
TEST_F(DataPathTest, InlineDataAreGatheredDuringThePost) {
    connect_both();
    std::memcpy(here_.memory.data(), "abcdefgh", 8);
    std::vector<Sge> entries;
    for (std::size_t i = 0; i < 8; ++i) entries.push_back({here_.memory.data() + 7 - i, 1, Token::none});
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 64)}), Status::success);
    ASSERT_EQ(post(here_, Operation::send, entries, RequestFlags::inline_data), Status::success);
    EXPECT_EQ(std::memcmp(there_.memory.data(), "hgfedcba", 8), 0);
    EXPECT_TRUE((fake_.counts().sent.back().send_flags & IBV_SEND_INLINE) != 0);
}

// ND1-EP-INL-02: entries with and without a token in one request.
TEST_F(DataPathTest, EntriesWithoutATokenAreCopied) {
    connect_both();
    std::memcpy(here_.memory.data(), "registered", 10);
    std::array<std::byte, 4> loose{};
    std::memcpy(loose.data(), "free", 4);
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 64)}), Status::success);
    ASSERT_EQ(post(here_, Operation::send, {{loose.data(), 4, Token::none}, here_.entry(0, 10)},
                   RequestFlags::inline_entries),
              Status::success);
    loose.fill({});
    EXPECT_EQ(std::memcmp(there_.memory.data(), "freeregistered", 14), 0);
    EXPECT_EQ(here_.poll().at(0).status, Status::success);
}

// ND1-EP-INL-02: the device has a limit of entries, and copies lie one behind the other.
TEST_F(DataPathTest, CopiesThatAreNeighboursAreOneEntry) {
    connect_both();
    std::memcpy(here_.memory.data(), "registered", 10);
    std::array<std::byte, 6> loose{};
    std::memcpy(loose.data(), "abcdef", 6);
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 64)}), Status::success);
    ASSERT_EQ(post(here_, Operation::send,
                   {{loose.data(), 2, Token::none},
                    {loose.data() + 2, 2, Token::none},
                    here_.entry(0, 10),
                    {loose.data() + 4, 2, Token::none}},
                   RequestFlags::inline_entries),
              Status::success);
    EXPECT_EQ(fake_.counts().sent_entries.size(), 3u);
    EXPECT_EQ(std::memcmp(there_.memory.data(), "abcdregisteredef", 16), 0);
}

TEST_F(DataPathTest, RequestsBeforeEstablishedAreHeldInOrder) {
    make(here_);
    make(there_);
    fake_.connect(here_.pair->number(), there_.pair->number());
    connect(here_, Start::held);
    connect(there_);
    std::array<std::byte, 1> loose{std::byte{'x'}};
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}, RequestFlags::none, 1), Status::success);
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(8, 8)}, RequestFlags::none, 2), Status::success);
    ASSERT_EQ(post(here_, Operation::send, {{loose.data(), 1, Token::none}}, RequestFlags::inline_data),
              Status::success);
    loose[0] = std::byte{'y'};
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 4)}), Status::success);
    EXPECT_EQ(fake_.counts().requests, 0);
    EXPECT_FALSE(here_.pair->finished_requests());
    here_.pair->release_held();
    EXPECT_EQ(fake_.counts().requests, 2);
    EXPECT_EQ(there_.memory[0], std::byte{'x'});
    EXPECT_TRUE(here_.pair->finished_requests());
    EXPECT_EQ(here_.poll().size(), 2u);
    EXPECT_EQ(there_.poll().size(), 2u);
}

TEST_F(DataPathTest, AFenceAndASolicitationAreTheDevices) {
    connect_both();
    ASSERT_EQ(post(here_, Operation::write, {}, RequestFlags::read_fence | RequestFlags::solicit), Status::success);
    const unsigned flags = fake_.counts().sent.back().send_flags;
    EXPECT_TRUE((flags & IBV_SEND_FENCE) != 0);
    EXPECT_TRUE((flags & IBV_SEND_SOLICITED) != 0);
}

// More queue pairs than one ibv_cq has room for: the completion queue takes another one, without ibv_resize_cq.
TEST_F(DataPathTest, ACompletionQueueGrowsByAnotherOfTheHardware) {
    make(here_);
    std::vector<Ref<HardwareQueuePair>> more;
    QueuePairParameters parameters;
    parameters.limits = {100, 100, 4, 4, 0};
    parameters.receive_completion_queue = parameters.initiator_completion_queue = here_.queue;
    for (int i = 0; i < 4; ++i) more.push_back(HardwareQueuePair::create(adapter_, parameters).take());
    EXPECT_GE(fake_.counts().created_queues, 4);  // one for the trial of limits
    for (const auto& each : more) each->close();
}

// Some devices refuse a queue without a place.
TEST_F(DataPathTest, AQueuePairWithoutRequestsIsMadeAllTheSame) {
    make(here_);
    QueuePairParameters parameters;
    parameters.receive_completion_queue = parameters.initiator_completion_queue = here_.queue;
    const auto made = HardwareQueuePair::create(adapter_, parameters);
    ASSERT_TRUE(made.ok());
    made.value()->close();
}

TEST_F(DataPathTest, AQueuePairIsAttachedOnce) {
    connect_both();
    EXPECT_FALSE(here_.pair->begin_attempt(&here_));
    EXPECT_FALSE(here_.pair->attach(there_.end, {16, 16}, Start::now, std::nullopt));
}

// The hardware's queue pair of a failed attempt is on its way out, and the next is not made yet.
TEST_F(DataPathTest, AQueuePairWithoutItsHardwareConnectsNobody) {
    make(here_);
    ASSERT_EQ(post(here_, Operation::receive, {here_.entry(0, 16)}), Status::success);
    ASSERT_TRUE(here_.pair->begin_attempt(&here_));
    int destroyed = 0;
    fake_.before_destroy = [&] {
        ++destroyed;
        EXPECT_FALSE(here_.pair->attach(here_.end, {16, 16}, Start::now, std::nullopt));
        EXPECT_FALSE(here_.pair->begin_attempt(&there_));
    };
    here_.pair->end_attempt(&here_);
    fake_.before_destroy = nullptr;
    EXPECT_EQ(destroyed, 1);
    EXPECT_TRUE(here_.pair->begin_attempt(&there_));
}

// A create() that fails at its end leaves one like this. The device goes, and tells those that it knows.
TEST_F(DataPathTest, AQueuePairThatIsGoneIsNotToldOfItsDevice) {
    make(here_);
    QueuePairParameters parameters;
    parameters.limits = {1, 1, 1, 1, 0};
    parameters.receive_completion_queue = parameters.initiator_completion_queue = here_.queue;
    ASSERT_TRUE(HardwareQueuePair::create(adapter_, parameters).ok());
    EXPECT_EQ(fake_.counts().queue_pairs, 1);
    fake_.tell(IBV_EVENT_DEVICE_FATAL);
    turn();
    EXPECT_EQ(here_.pair->state(), QueuePairState::error);
}

// ND2-CQ-REL-01.
TEST_F(DataPathTest, AClosedCompletionQueueTellsNobody) {
    connect_both();
    here_.queue->arm(NotifyKind::any);
    here_.queue->close();
    ASSERT_EQ(post(here_, Operation::write, {}), Status::success);
    turn();
    EXPECT_EQ(here_.sink.events, 0);
}

TEST_F(DataPathTest, LimitsAreTheDevices) {  // ND2-ADP-LIM-01
    const AdapterLimits& limits = adapter_->limits();
    EXPECT_EQ(limits.max_initiator_depth, 4096u);
    EXPECT_EQ(limits.max_receive_sges, 4u);
    EXPECT_EQ(limits.max_transfer_bytes, 1u << 23);
    EXPECT_EQ(limits.max_inline_bytes, 256u);
    EXPECT_EQ(limits.max_outbound_reads, 16u);
    EXPECT_EQ(limits.max_completion_depth, 1u << 16);
    EXPECT_EQ(adapter_->traits().technology, Technology::infiniband);
}

TEST_F(DataPathTest, TheDevicesTextTellsOfItsPort) {
    const std::string text = text_of(*device_);
    EXPECT_NE(text.find("RDMA device fake0"), std::string::npos) << text;
    EXPECT_NE(text.find("InfiniBand, port 1 active"), std::string::npos) << text;
}

// NDK-MDL-03: pages that are neighbours are one range, under any base; others need a device that has more.
TEST_F(DataPathTest, NeighbouringPagesAreOneRegion) {
    alignas(4096) static std::array<std::byte, 4 * 4096> memory{};
    const auto start = reinterpret_cast<std::uint64_t>(memory.data());
    const std::array<std::uint64_t, 2> run{start, start + 4096};
    auto region = adapter_->register_pages({run, 16, 0x5000010, 5000}, Access::local_write);
    ASSERT_TRUE(region.ok());
    region.value()->deregister();
    const std::array<std::uint64_t, 2> apart{start, start + 2 * 4096};
    EXPECT_EQ(adapter_->register_pages({apart, 0, start, 8192}, Access::local_write).status(), Status::not_supported);
    auto first_alone = adapter_->register_pages({apart, 0, start, 4096}, Access::local_write);
    ASSERT_TRUE(first_alone.ok());
    first_alone.value()->deregister();
}

// ND1-AD-REG-07: the kernel grants no windows over memory that the process may not write.
TEST_F(DataPathTest, ReadOnlyMemoryIsRegisteredForReading) {
    alignas(4096) static const std::array<std::byte, 4096> constant{};
    auto* const start = const_cast<std::byte*>(constant.data());
    fake_.constant = start;
    EXPECT_EQ(adapter_->register_memory(start, 4096, Access::local_write).status(), Status::access_violation);
    const auto address = reinterpret_cast<std::uint64_t>(start);
    const std::array<std::uint64_t, 1> page{address};
    auto region = adapter_->register_memory(start, 4096, Access::none);
    auto pages = adapter_->register_pages({page, 0, address, 4096}, Access::remote_read);
    ASSERT_TRUE(region.ok());
    ASSERT_TRUE(pages.ok());
    region.value()->deregister();
    pages.value()->deregister();
}

// ---- iWARP ----------------------------------------------------------------------------------------------------------

class StreamPathTest : public DataPathTest {
protected:
    StreamPathTest() : DataPathTest({}, IBV_TRANSPORT_IWARP) {}
};

TEST_F(StreamPathTest, AnIwarpDeviceCarriesNoImmediateData) {  // ND2-IMM-COM-02
    EXPECT_FALSE(can_.traits.carries_immediate);
}

// The kernel keeps the hardware's queue pair until the peer has answered.
TEST_F(StreamPathTest, TheEndOfAnAttemptWaitsForNoAnswer) {
    make(here_);
    ASSERT_TRUE(here_.pair->begin_attempt(this));
    std::promise<std::thread::id> destroyed;
    fake_.before_destroy = [&] { destroyed.set_value(std::this_thread::get_id()); };
    here_.pair->end_attempt(this);
    EXPECT_NE(destroyed.get_future().get(), std::this_thread::get_id());
    EXPECT_TRUE(support::wait_until([this] { return fake_.counts().queue_pairs == 1; }));
    fake_.before_destroy = nullptr;
}

TEST_F(StreamPathTest, TheEndOfAConnectionLeavesNothingInTheDevice) {
    connect_both();
    here_.pair->close();
    EXPECT_EQ(fake_.counts().queue_pairs, 1);
}

}  // namespace
}  // namespace opennd::verbs
