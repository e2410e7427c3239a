// SPDX-License-Identifier: MIT
// A process of the same user at the other end of the local socket, played by the test: the memory it may map, the
// messages it may send, and how many of its requests are heard at a time.
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "platform/descriptor/descriptor_limit.h"
#include "platform/thread/asymmetric_barrier.h"
#include "support/absent_pages.h"
#include "support/deadline.h"
#include "support/held_file.h"
#include "support/kernel_limits.h"
#include "support/requirement.h"
#include "support/sanitizer.h"
#include "transport/local/listener.h"
#include "transport/local/local_callers.h"
#include "unit/transport/shm/neighbour.h"

namespace opennd::local {
namespace {

TEST_F(NeighbourTest, IsGivenASegmentOnlyOnceSomethingInItIsGranted) {
    void* const data = memory_.allocate(4096).value();
    const std::uint32_t segment = memory_.locate(data, 4096)->segment;
    Neighbour neighbour = connected();
    const auto own = region(data, Access::local_write);
    neighbour.say(ControlType::segment_request, segment);
    settle();
    const auto granted = region(data, Access::remote_read);
    neighbour.say(ControlType::segment_request, segment);
    neighbour.expect(ControlType::segment);
    granted->deregister();
    neighbour.say(ControlType::segment_request, segment);
    settle();
    requests_->connector->end(Ending::disconnect);
    neighbour.expect(ControlType::disconnect);  // and nothing before it
    own->deregister();
    EXPECT_EQ(memory_.free(data), Status::success);
}

TEST_F(NeighbourTest, IsGivenTheSegmentOfAMessageThatItIsToFetch) {
    constexpr std::uint32_t kLong = 65536;
    void* const data = memory_.allocate(kLong).value();
    Neighbour neighbour = connected();
    const auto own = adapter_->register_memory(static_cast<std::byte*>(data), kLong, Access::local_write).take();
    ASSERT_EQ(post(Operation::send, {static_cast<std::byte*>(data), kLong, own->local_token()}), Status::success);
    neighbour.say(ControlType::segment_request, memory_.locate(data, 1)->segment);
    neighbour.expect(ControlType::segment);
    requests_->connector->end(Ending::disconnect);
    own->deregister();
    EXPECT_EQ(memory_.free(data), Status::success);
}

TEST_F(NeighbourTest, HoldsUpNoHandshakeByThePageOfItsCookie) {
    support::proves("ND2-OVL-24");
    if (const std::string reason = support::AbsentPages::unavailable(); !reason.empty()) GTEST_SKIP() << reason;
    constexpr std::size_t kBytes = 65536;
    const auto memory = std::make_unique<std::array<std::byte, kBytes>>();
    auto ends = LocalSocket::pair().take();
    Neighbour neighbour(std::move(ends.second));
    neighbour.cookie_address = reinterpret_cast<std::uint64_t>(memory->data() + kBytes / 2);
    const auto connector = LocalConnector::active(adapter_, std::move(ends.first), {"shm", "test", false, true});
    {
        const support::AbsentPages pages(*memory);
        connector->set_sink(Ref<ConnectorSink>(sink_));
        connector->connect(test::loopback_address(1), PortOrigin::program, test::loopback_address(2), {4, 4}, {},
                           queue_pair_);
        neighbour.make_link();
        neighbour.say(ControlType::accept);
        EXPECT_EQ(sink_->replied.wait(), Status::success) << "the service thread waits for the page";
        connector->complete();
        EXPECT_EQ(sink_->established.wait(), Status::success);
    }
    connector->end(Ending::disconnect);
    connector->end(Ending::give_up);
}

TEST_F(NeighbourTest, LosesTheConnectionWithASegmentThatNobodyAskedFor) {
    Neighbour neighbour = connected();
    const SharedMemory memory = SharedMemory::create("neighbour-memory", 4096).take();
    neighbour.say(ControlType::segment, 7, std::array{memory.descriptor()});
    EXPECT_EQ(sink_->disconnected.wait(), Status::connection_aborted);
    EXPECT_FALSE(neighbour.hear());
}

TEST_F(NeighbourTest, LosesTheConnectionWithWhatIsNotItsTurn) {
    support::proves("ND2-CON-CONN-05");
    for (const ControlType type : {ControlType::request, ControlType::accept, ControlType::ready}) {
        SCOPED_TRACE(static_cast<int>(type));
        {
            Neighbour neighbour = connected();
            const int tokens = neighbour.tokens.memory().descriptor();
            if (type == ControlType::request) neighbour.ask();
            if (type == ControlType::accept) neighbour.say(type, 0, std::array{tokens});
            if (type == ControlType::ready) neighbour.say(type);
            EXPECT_EQ(sink_->disconnected.wait(), Status::connection_aborted);
        }
        begin_anew();
    }
    requests_->connector = nullptr;
}

TEST_F(NeighbourTest, HasNoMoreReadsThanTheAdapterOrWereOffered) {
    support::proves("ND2-CON-LIM-02", "ND2-CON-LIM-04");
    Neighbour neighbour = caller();
    neighbour.reads = 1u << 20;
    neighbour.ask();
    ASSERT_EQ(requests_->arrived.wait(), Status::success);
    EXPECT_EQ(requests_->request.limits.inbound, adapter_->limits().max_inbound_reads);
    EXPECT_EQ(requests_->request.limits.outbound, adapter_->limits().max_outbound_reads);

    auto ends = LocalSocket::pair().take();
    Neighbour asked(std::move(ends.second));
    asked.reads = 1u << 20;
    const auto connector = LocalConnector::active(adapter_, std::move(ends.first), {"shm", "test", false, false});
    connector->set_sink(Ref<ConnectorSink>(sink_));
    connector->connect(test::loopback_address(3), PortOrigin::program, test::loopback_address(4), {2, 3}, {},
                       queue_pair_);
    asked.make_link();
    asked.say(ControlType::accept);
    ASSERT_EQ(sink_->replied.wait(), Status::success);
    EXPECT_EQ(sink_->limits.inbound, 2u);
    EXPECT_EQ(sink_->limits.outbound, 3u);
    connector->end(Ending::disconnect);
    connector->end(Ending::give_up);
}

// It was in the middle of an access. A peer that has ended is let alone, too.
TEST_F(NeighbourTest, HoldsUpNoDeregistrationOnceItHasEnded) {
    support::proves("ND2-MR-DEREG-03");
    alignas(4096) static std::array<std::byte, 4096> data{};
    Neighbour neighbour = connected();
    const auto granted = region(data.data(), Access::remote_write);
    Lane* const lanes = neighbour.arena->segment(0).lanes;
    lanes[0].access.token.store(value(granted->remote_token()));
    neighbour.say(ControlType::abort);
    EXPECT_EQ(sink_->disconnected.wait(), Status::connection_aborted);
    granted->deregister();
    EXPECT_EQ(lanes[1].wishes.closed.load(), 1u);
}

TEST_F(NeighbourTest, IsHeardOutBeforeTheConnectionIsComplete) {
    support::proves("ND2-CON-CMPL-02");
    auto ends = LocalSocket::pair().take();
    Neighbour neighbour(std::move(ends.second));
    const auto connector = LocalConnector::active(adapter_, std::move(ends.first), {"shm", "test", false, false});
    connector->set_sink(Ref<ConnectorSink>(sink_));
    connector->connect(test::loopback_address(3), PortOrigin::program, test::loopback_address(4), {2, 3}, {},
                       queue_pair_);
    neighbour.make_link();
    neighbour.say(ControlType::accept);
    ASSERT_EQ(sink_->replied.wait(), Status::success);
    {
        const Standstill still(loop_);
        neighbour.say(ControlType::abort);
        connector->complete();
    }
    EXPECT_EQ(sink_->established.wait(), Status::connection_aborted);
    connector->end(Ending::give_up);
}

// This side says that it polls only if both can make heavy barriers: the peer's stores are in no order otherwise.
TEST_F(NeighbourTest, IsToldOfPollersIfItMakesHeavyBarriers) {
    support::proves("ND2-CQ-NTF-08");
    constexpr auto kAwake = static_cast<std::uint32_t>(soft::Attention::awake);
    for (const bool asymmetric : {false, true}) {
        Neighbour neighbour = connected(asymmetric);
        Completion completion;
        for (int look = 0; look < 1000; ++look) EXPECT_EQ(completions_->poll({&completion, 1}), 0u);
        EXPECT_EQ(neighbour.arena->segment(0).lanes[0].wishes.attention.load(),
                  asymmetric && asymmetric_barrier_available() ? kPolling : kAwake);
        neighbour.say(ControlType::abort);
        EXPECT_EQ(sink_->disconnected.wait(), Status::connection_aborted);
        begin_anew();
    }
    requests_->connector = nullptr;
}

// A process may have closed its standard input.
TEST_F(NeighbourTest, IsHeardOnDescriptorZero) {
    struct stat input_is {};
    if (::fstat(0, &input_is) != 0 || !(S_ISCHR(input_is.st_mode) || S_ISFIFO(input_is.st_mode)))
        GTEST_SKIP() << "it may be something else here";
    const int input = ::dup(0);
    ::close(0);
    auto ends = LocalSocket::pair();
    const bool is_zero = ends.ok() && ends.value().first.descriptor() == 0;
    if (is_zero) {
        Neighbour neighbour = caller(ends.take());
        neighbour.ask();
        EXPECT_EQ(requests_->arrived.wait(), Status::success);
        neighbour.expect(ControlType::link);
        requests_->connector->end(Ending::give_up);
        requests_->connector = nullptr;
    }
    EXPECT_TRUE(support::wait_until([] { return ::fcntl(0, F_GETFD) < 0; }));
    ::dup2(input, 0);
    ::close(input);
    EXPECT_TRUE(is_zero);
}

TEST_F(NeighbourTest, MayTakeItsRequestBack) {
    support::proves("ND2-CON-ACC-03");
    Neighbour neighbour = caller();
    neighbour.ask();
    ASSERT_EQ(requests_->arrived.wait(), Status::success);
    EXPECT_FALSE(requests_->connector->abandoned());
    neighbour.say(ControlType::cancel);
    settle();
    EXPECT_TRUE(requests_->connector->abandoned());
}

TEST_F(NeighbourTest, IsToldOnceThatARequestWasTakenBack) {
    support::proves("ND2-CON-ACC-03");
    auto ends = LocalSocket::pair().take();
    Neighbour neighbour(std::move(ends.second));
    const auto connector = LocalConnector::active(adapter_, std::move(ends.first), {"shm", "test", false, false});
    connector->set_sink(Ref<ConnectorSink>(sink_));
    connector->connect(test::loopback_address(3), PortOrigin::program, test::loopback_address(4), {2, 3}, {},
                       queue_pair_);
    connector->end(Ending::cancel);
    neighbour.make_link();
    neighbour.expect(ControlType::cancel);
    neighbour.expect(ControlType::retire);
}

TEST_F(NeighbourTest, WithSharedMemoryOfAnotherLayoutIsNotConnected) {
    support::proves("ND2-CON-CONN-05");
    auto ends = LocalSocket::pair().take();
    Neighbour neighbour(std::move(ends.second));
    const auto connector = LocalConnector::active(adapter_, std::move(ends.first), {"shm", "test", false, false});
    connector->set_sink(Ref<ConnectorSink>(sink_));
    connector->connect(test::loopback_address(3), PortOrigin::program, test::loopback_address(4), {2, 3}, {},
                       queue_pair_);
    const SharedMemory memory = SharedMemory::create("neighbour-arena", sizeof(ArenaLayout)).take();
    const auto request = neighbour.hear();
    ASSERT_TRUE(request);
    neighbour.nonce = request->nonce;
    neighbour.say(ControlType::link, 0, std::array{memory.descriptor(), neighbour.tokens.memory().descriptor()});
    EXPECT_EQ(sink_->replied.wait(), Status::connection_aborted);
    EXPECT_FALSE(neighbour.hear());
    connector->end(Ending::give_up);
}

TEST_F(NeighbourTest, IsToldThatItsAddressesAreConnectedAlready) {
    support::proves("ND2-CON-BIND-04");
    const Neighbour first = connected();
    Neighbour second = caller();
    second.ask();
    const auto reply = second.hear();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->type, ControlType::reject);
    EXPECT_EQ(reply->address_exists, 1u);
}

// One of a control message's parts is wrong.
TEST(ControlMessages, AreTakenOnlyAsTheyMustBe) {
    support::proves("ND2-CON-CONN-05");
    const auto status_of = [](const ControlMessage& message, std::size_t descriptors) {
        auto ends = LocalSocket::pair().take();
        const SharedMemory memory = SharedMemory::create("test-memory", 4096).take();
        const std::vector<int> attached(descriptors, memory.descriptor());
        EXPECT_EQ(send(ends.first, message, attached), Status::success);
        return receive(ends.second).status();
    };
    EXPECT_EQ(status_of({}, 1), Status::success);
    EXPECT_EQ(status_of({}, 2), Status::disconnected) << "a request has one descriptor";
    EXPECT_EQ(status_of({.type = ControlType::accept}, 1), Status::disconnected) << "it announces none";
    EXPECT_EQ(status_of({.version = ControlMessage::kVersion + 1}, 1), Status::disconnected);
    EXPECT_EQ(status_of({.type = static_cast<ControlType>(kControlTypes)}, 0), Status::disconnected);
    EXPECT_EQ(status_of({.private_data_bytes = ControlMessage::kMaxPrivateData + 1}, 1), Status::disconnected);
    EXPECT_EQ(status_of({.magic = ControlMessage::kMagic + 1}, 1), Status::disconnected);
}

TEST(ControlMessages, WithDescriptorsForWhichThereIsNoRoomAreAShortage) {
    support::proves("ND2-GEN-02");
    if (const std::string reason = support::receives_only_with_room(); !reason.empty()) GTEST_SKIP() << reason;
    auto ends = LocalSocket::pair().take();
    const SharedMemory memory = SharedMemory::create("test-memory", 4096).take();
    EXPECT_EQ(send(ends.first, {}, std::array{memory.descriptor()}), Status::success);
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const int next = ::dup(memory.descriptor());
    ::close(next);
    const rlimit none{static_cast<rlim_t>(next), before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    const Status status = receive(ends.second).status();
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(status, Status::insufficient_resources);
}

std::uint64_t mapped_pages() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t pages = 0;
    file >> pages;
    return pages;
}

TEST_F(NeighbourTest, IsMappedNoFurtherThanARegionCanReach) {
    if (support::kThreadSanitizer) GTEST_SKIP() << "the thread sanitizer has the address space";
    constexpr std::uint64_t kAddress = 0x10000;
    constexpr std::uint32_t kSegment = 9;
    constexpr std::size_t kHuge = std::size_t{1} << 46;  // 64 TiB
    Neighbour neighbour = connected();
    const auto tokens = neighbour.tokens.reserve({kAddress, 4096, Access::remote_write, {kSegment, 0}}).value();
    neighbour.tokens.enable(tokens);
    std::array<std::byte, 64> data{};
    const auto own = adapter_->register_memory(data.data(), data.size(), Access::local_write).take();
    ASSERT_EQ(post(Operation::write, {data.data(), 64, own->local_token()}, kAddress, tokens.remote), Status::success);
    neighbour.expect(ControlType::segment_request);

    const Descriptor file(::memfd_create("huge", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    ASSERT_EQ(::ftruncate(file.get(), static_cast<off_t>(kHuge)), 0);
    ASSERT_EQ(::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), 0);
    const std::uint64_t before = mapped_pages();
    neighbour.say(ControlType::segment, kSegment, std::array{file.get()});
    settle();
    EXPECT_LT(mapped_pages() - before, kHuge / 4096 / 2) << "64 TiB of the peer were mapped";
    requests_->connector->end(Ending::disconnect);
    own->deregister();
}

class LocalCallersTest : public NeighbourTest {
protected:
    LocalCallersTest() {
        listener_ = adapter_->create_listener(Ref<ListenerSink>(requests_)).take();
        address_ = listener_->bind(test::loopback_address(0)).take();
        EXPECT_EQ(listener_->listen(0), Status::success);
    }
    ~LocalCallersTest() override { listener_->close(); }

    // A process connects and says nothing.
    Neighbour silent() {
        return Neighbour(LocalSocket::connect(SocketListener::socket_name("opennd/shm", address_)).take());
    }

    Ref<TransportListener> listener_;
    Address address_;
};

TEST_F(LocalCallersTest, OfOneProcessAreSoManyAtATimeAndOthersComeAgain) {
    support::proves("ND2-CON-CONN-07");
    std::vector<Neighbour> crowd;
    const std::size_t most = LocalCallers::ceilings(descriptor_limit()).of_one_process;
    for (std::size_t i = 0; i < most; ++i) crowd.push_back(silent());
    silent().expect(ControlType::busy);

    const auto sink = make_ref<test::RecordingSink>();
    const auto connector = adapter_->connect(Ref<ConnectorSink>(sink), test::loopback_address(1), PortOrigin::program,
                                             address_, {1, 1}, {}, queue_pair_);
    settle();
    EXPECT_FALSE(requests_->any);
    crowd.pop_back();
    EXPECT_EQ(requests_->arrived.wait(), Status::success);
    connector->end(Ending::cancel);
    settle();
}

TEST_F(LocalCallersTest, WhoSaysNothingIsHungUpOn) {
    Neighbour neighbour = silent();
    pollfd end{neighbour.socket_.descriptor(), POLLIN, 0};
    EXPECT_EQ(::poll(&end, 1, 15'000), 1) << "a silent process keeps its place";
    EXPECT_FALSE(neighbour.hear());
}

// A file with a last close that waits for the neighbour, in each message, and in one that is never read.
TEST_F(LocalCallersTest, HoldUpNobodyWithFilesThatDoNotClose) {
    support::HeldFile file;
    {
        Neighbour first = silent(), second = silent();
        first.say(ControlType::request, 0, std::array{file.descriptor()});
        (void)first.try_to_say(ControlType::request, 0, std::array{file.descriptor()});  // it may be rejected by now
        second.say(ControlType::segment, 0, std::array{file.descriptor()});
        file.leave();
        EXPECT_FALSE(second.hear());
        first.expect(ControlType::reject);
    }
    Neighbour third = silent();
    third.ask();
    EXPECT_EQ(requests_->arrived.wait(), Status::success) << "the service thread stood still";
    file.let_go();
}

TEST(LocalCallers, HaveACeilingForAProcessAndOneForAll) {
    constexpr LocalCallers::Ceilings kCeilings{4, 8};
    const auto callers = make_ref<LocalCallers>();
    std::vector<Ref<LocalCallers::Place>> places;
    for (std::size_t i = 0; i < kCeilings.of_one_process; ++i) places.push_back(callers->enter(1, kCeilings));
    EXPECT_FALSE(callers->enter(1, kCeilings));
    for (std::size_t i = 0; i < kCeilings.of_one_process; ++i) places.push_back(callers->enter(2, kCeilings));
    for (const auto& place : places) EXPECT_TRUE(place);
    EXPECT_FALSE(callers->enter(3, kCeilings));
    places.erase(places.begin());
    EXPECT_TRUE(callers->enter(3, kCeilings));
    EXPECT_TRUE(callers->enter(1, kCeilings));
}

TEST(LocalCallers, HaveAPartOfTheDescriptors) {
    const LocalCallers::Ceilings usual = LocalCallers::ceilings(1024);
    EXPECT_GT(usual.of_one_process, 129u) << "a backlog, and who is told that it is full";
    EXPECT_LT(usual.of_one_process, usual.in_all);
    EXPECT_LE(3 * usual.in_all, 1024u * 3 / 4);
    EXPECT_GT(LocalCallers::ceilings(8).of_one_process, 16u) << "some work in any process";
}

}  // namespace
}  // namespace opennd::local
