// SPDX-License-Identifier: MIT
//
// See provocations.h.
#include "check/provocations.h"

#include <sys/mman.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "conformance/nd1/nd1_test.h"
#include "conformance/vocabulary/handshake.h"
#include "support/adapter.h"

namespace opennd::conformance {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::uint32_t kDeadToken = 0x7777;

std::uintptr_t address_of(const Endpoint& end) { return reinterpret_cast<std::uintptr_t>(end.memory.data()); }

Remote granted(const Endpoint& end) { return {address_of(end), end.queue_pair->grant(*end.region)}; }

SocketAddress foreign_address() {
    SocketAddress address = local_address(5000);
    address.set_host("192.0.2.1", "2001:db8::1");  // for documentation only
    return address;
}

// ---- in processes of their own --------------------------------------------------------------------------------------

void open_without_startup(const Variant& variant) {
    const SocketAddress address = support::loopback_address();
    void* adapter = nullptr;
    if (std::string(variant.face) == "Nd1")
        (void)NdOpenV1Adapter(support::as_sockaddr(address), sizeof address, reinterpret_cast<INDAdapter**>(&adapter));
    else
        (void)NdOpenAdapter(IID_IND2Adapter, support::as_sockaddr(address), sizeof address, &adapter);
    std::exit(EXIT_SUCCESS);
}

// The pointers stay known, so that a leak checker finds what the program has left.
void exit_with_objects_left(const Variant& variant) {
    static Driver* const driver = variant.open().release();
    static Adapter* const adapter = driver->open_adapter().release();
    static CompletionQueue* const queue = adapter->create_completion_queue(16).release();
    std::exit(queue ? EXIT_SUCCESS : EXIT_FAILURE);
}

// ---- before and after connections -----------------------------------------------------------------------------------

void take_the_peers_address_for_a_local_one(const Scene& scene) {
    const SocketAddress foreign = foreign_address();
    if (scene.is_face("Nd1")) {
        support::ComPtr<INDAdapter> adapter;
        (void)NdOpenV1Adapter(support::as_sockaddr(foreign), sizeof foreign, adapter.put());
    } else {
        const auto adapter = scene.driver.open_adapter();
        (void)adapter->create_listener()->bind(foreign);
    }
}

void give_a_connector_a_second_request(const Scene& scene) {
    Handshake handshake(scene.driver);
    handshake.bound();
    const Operation first = handshake.listener->get_request(*handshake.passive.connector);
    (void)handshake.listener->get_request(*handshake.passive.connector).begun();
    handshake.listener->cancel();
    (void)first.wait();
}

void ask_for_private_data_before_they_exist(const Scene& scene) {
    Handshake handshake(scene.driver);
    PrivateData data;
    (void)handshake.bound().active.connector->private_data(data);
}

void ask_for_read_limits_after_accept(const Scene& scene) {
    Handshake handshake(scene.driver);
    ReadLimits limits;
    (void)handshake.accepting().passive.connector->read_limits(limits);
}

void accept_after_reject(const Scene& scene) {
    Handshake handshake(scene.driver);
    handshake.requested().passive.connector->reject({});
    (void)handshake.passive.connector->accept(*handshake.passive.queue_pair, {}, {}).begun();
}

void release_a_request_without_an_answer(const Scene& scene) {
    Handshake handshake(scene.driver);
    handshake.requested().passive.connector = nullptr;
}

void bind_before_the_connection(const Scene& scene) {
    Endpoint end(scene.driver, {});
    const auto window = end.adapter->create_memory_window();
    (void)end.queue_pair->bind(1, *end.region, *window, end.memory.data(), 64, kAllowRead);
}

// ---- OVERLAPPEDs ----------------------------------------------------------------------------------------------------

template <typename Queue>
void notify_twice(Queue& queue) {
    OVERLAPPED overlapped{};
    (void)queue.Notify(ND_CQ_NOTIFY_ANY, &overlapped);
    (void)queue.Notify(ND_CQ_NOTIFY_ANY, &overlapped);
    queue.CancelOverlappedRequests();
}

template <typename Queue, typename Ask>
void ask_another(Queue& queue, Ask&& ask) {
    OVERLAPPED overlapped{};
    (void)queue.Notify(ND_CQ_NOTIFY_ANY, &overlapped);
    ask(&overlapped);
    queue.CancelOverlappedRequests();
}

// Two queues of version 2.
struct TwoQueues {
    TwoQueues() {
        support::require(adapter->CreateOverlappedFile(&file), ND_SUCCESS, "CreateOverlappedFile");
        for (auto* queue : {&one, &other})
            support::require(adapter->CreateCompletionQueue(IID_IND2CompletionQueue, file, 16, 0, 0, queue->out()),
                             ND_SUCCESS, "CreateCompletionQueue");
    }
    TwoQueues(const TwoQueues&) = delete;
    TwoQueues& operator=(const TwoQueues&) = delete;
    ~TwoQueues() { opennd_handle_close(file); }

    const support::ComPtr<IND2Adapter> adapter = support::open_loopback_adapter();
    HANDLE file = nullptr;
    support::ComPtr<IND2CompletionQueue> one, other;
};

void use_an_overlapped_twice(const Scene& scene) {
    if (scene.is_face("Nd1")) {
        const auto adapter = nd1::open_adapter();
        notify_twice(*nd1::completion_queue(*adapter.get()).get());
    } else {
        notify_twice(*TwoQueues().one.get());
    }
}

void ask_another_object_for_a_result(const Scene& scene) {
    if (scene.is_face("Nd1")) {
        const auto adapter = nd1::open_adapter();
        const auto one = nd1::completion_queue(*adapter.get()), other = nd1::completion_queue(*adapter.get());
        ask_another(*one.get(), [&](OVERLAPPED* overlapped) {
            SIZE_T bytes = 0;
            (void)other->GetOverlappedResult(overlapped, &bytes, FALSE);
        });
    } else {
        const TwoQueues queues;
        ask_another(*queues.one.get(),
                    [&](OVERLAPPED* overlapped) { (void)queues.other->GetOverlappedResult(overlapped, FALSE); });
    }
}

template <typename Queue>
void notify_released(support::ComPtr<Queue> queue) {
    Queue* const released = queue.get();
    queue.reset();
    OVERLAPPED overlapped{};
    EXPECT_EQ(released->Notify(ND_CQ_NOTIFY_ANY, &overlapped), ND_INVALID_HANDLE);
}

void use_a_released_object(const Scene& scene) {
    if (scene.is_face("Nd1")) {
        const auto adapter = nd1::open_adapter();
        notify_released(nd1::completion_queue(*adapter.get()));
    } else {
        TwoQueues queues;
        notify_released(std::move(queues.one));
    }
}

// ---- requests -------------------------------------------------------------------------------------------------------

// Version 1 has the limits of CreateEndpoint.
void read_without_a_limit_of_version_1() {
    nd1::Pair pair({.outbound_reads = 0});
    pair.connected();
    const ND_SGE piece = pair.a.piece(0, 8);
    const ND_MW_DESCRIPTOR any{};
    ND_RESULT result;
    (void)pair.a.endpoint->Read(&result, &piece, 1, &any, 0, 0);
}

bool is_told(const Scene& scene, const char* rule, Endpoint& driven) {
    return support::wait_until([&] {
        (void)driven.received->poll(1);
        return scene.diagnostics.has(rule);
    });
}

void send_without_a_receive(const Scene& scene) {
    const ConnectedPair pair(scene.driver);
    ASSERT_EQ(pair.a.send(1, 0, 64), Outcome::success);
    (void)is_told(scene, "CHECK-NO-RECEIVE", pair.b);
    EXPECT_NE(next(*pair.a.initiated).outcome, Outcome::success);  // after OPENND_NO_RECEIVE_MS the sender is told, too
}

constexpr Provocation kProvocations[] = {
    {"CHECK-STARTUP", nullptr, open_without_startup, 1, nullptr},
    {"CHECK-LEAK", nullptr, exit_with_objects_left, 1, nullptr},
    {"CHECK-PEER-ADDRESS", take_the_peers_address_for_a_local_one, nullptr, 1, nullptr},
    {"CHECK-SECOND-REQUEST", give_a_connector_a_second_request, nullptr, 1, nullptr},
    {"CHECK-PRIVATE-DATA", ask_for_private_data_before_they_exist, nullptr, 1, nullptr},
    {"CHECK-LIMITS-AFTER-ACCEPT", ask_for_read_limits_after_accept, nullptr, 1, nullptr},
    {"CHECK-AFTER-REJECT", accept_after_reject, nullptr, 1, nullptr},
    {"CHECK-BIND-EARLY", bind_before_the_connection, nullptr, 1, nullptr},
    {"CHECK-OVERLAPPED-IN-USE", use_an_overlapped_twice, nullptr, 1, nullptr},
    {"CHECK-OTHER-OBJECT", ask_another_object_for_a_result, nullptr, 1, nullptr},
    {"CHECK-AFTER-RELEASE", use_a_released_object, nullptr, 1, nullptr},
    {"CHECK-NO-ANSWER", release_a_request_without_an_answer, nullptr, 1, nullptr},
    {"CHECK-READ-LIMIT", read_without_a_limit, nullptr, 1, nullptr},
    {"CHECK-ENTRY", post_an_entry_behind_its_region, nullptr, 1, nullptr},
    {"CHECK-BUFFER-IN-USE", send_memory_that_a_read_fills, nullptr, 1, nullptr},
    {"CHECK-BUFFER-CHANGED", change_memory_before_its_result, nullptr, 1, nullptr},
    {"CHECK-NO-RECEIVE", send_without_a_receive, nullptr, 2, nullptr},
    {"CHECK-RECEIVE-LATE", post_a_receive_too_late, nullptr, 1, "CHECK-NO-RECEIVE"},
    {"CHECK-DEPTH", post_more_than_there_is_room_for, nullptr, 1, nullptr},
    {"CHECK-MEMORY-GONE", unmap_registered_memory, nullptr, 2, nullptr},
    {"CHECK-BUFFER-SHARED", send_memory_that_a_receive_fills, nullptr, 1, nullptr},
    {"CHECK-FIRST-ERROR", write_with_a_dead_token, nullptr, 1, nullptr},
};

// A page in the middle of addresses that are free. The kernel gives new mappings one end of a range of free addresses, so that
// nothing comes to lie where the page was once it is unmapped.
void* page_amid_free_addresses() {
    constexpr std::size_t kFreeBytes = std::size_t{1} << 29;  // on each side
    void* const range = ::mmap(nullptr, 2 * kFreeBytes + kPageBytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) return range;
    std::byte* const page = static_cast<std::byte*>(range) + kFreeBytes;
    ::munmap(range, kFreeBytes);
    ::munmap(page + kPageBytes, kFreeBytes);
    return page;
}

}  // namespace

bool Scene::is_face(const char* face) const { return std::string(variant.face) == face; }

std::span<const Provocation> provocations() { return kProvocations; }

void read_without_a_limit(const Scene& scene) {
    if (scene.is_face("Nd1")) return read_without_a_limit_of_version_1();
    const ConnectedPair pair(scene.driver, {}, {}, {0, 0});
    (void)pair.a.read(7, 0, 8, granted(pair.b));
}

void post_an_entry_behind_its_region(const Scene& scene) {
    const ConnectedPair pair(scene.driver);
    const Sge beyond{pair.a.memory.data() + 60 * 1024, 8 * 1024, pair.a.region->local_token()};
    ASSERT_EQ(pair.a.queue_pair->receive(1, {&beyond, 1}), Outcome::success);
}

void send_memory_that_a_read_fills(const Scene& scene) {
    const ConnectedPair pair(scene.driver);
    ASSERT_EQ(pair.b.receive(1, 1024, 64), Outcome::success);
    ASSERT_EQ(pair.a.read(2, 0, 64, granted(pair.b)), Outcome::success);
    ASSERT_EQ(pair.a.send(3, 32, 64), Outcome::success);  // 32 bytes of it
}

void send_memory_that_a_receive_fills(const Scene& scene) {
    const ConnectedPair pair(scene.driver);
    ASSERT_EQ(pair.b.receive(1, 1024, 64), Outcome::success);
    ASSERT_EQ(pair.a.receive(2, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.send(3, 32, 64), Outcome::success);
}

void change_memory_before_its_result(const Scene& scene) {
    const ConnectedPair pair(scene.driver);
    ASSERT_EQ(pair.b.receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 64), Outcome::success);
    pair.a.bytes(0, 64)[5] ^= std::byte{1};
    EXPECT_TRUE(reports_received(*pair.b.received, 1, 64));
    EXPECT_EQ(next(*pair.a.initiated).request, 2u);
}

void post_a_receive_too_late(const Scene& scene) {
    const ConnectedPair pair(scene.driver);
    ASSERT_EQ(pair.a.send(1, 0, 64), Outcome::success);
    EXPECT_TRUE(is_told(scene, "CHECK-NO-RECEIVE", pair.b));
    ASSERT_EQ(pair.b.receive(2, 0, 64), Outcome::success);
    EXPECT_TRUE(reports_received(*pair.b.received, 2, 64));
    EXPECT_EQ(next(*pair.a.initiated).request, 1u);
}

void post_more_than_there_is_room_for(const Scene& scene) {
    EndpointOptions narrow;
    narrow.completion_depth = 2;
    const ConnectedPair pair(scene.driver, narrow, {});
    for (Tag tag = 1; tag <= 2; ++tag) ASSERT_EQ(pair.a.receive(tag, 0, 64), Outcome::success);
    EXPECT_FALSE(scene.diagnostics.has("CHECK-DEPTH"));
    ASSERT_EQ(pair.a.receive(3, 0, 64), Outcome::success);
}

void unmap_registered_memory(const Scene& scene) {
    const ConnectedPair pair(scene.driver);
    void* const memory = page_amid_free_addresses();
    ASSERT_NE(memory, MAP_FAILED);
    const auto region = registered(*pair.a.adapter, memory, kPageBytes, kAllRights);
    const Sge piece{memory, 64, region->local_token()};
    ::munmap(memory, kPageBytes);
    ASSERT_EQ(pair.a.queue_pair->receive(1, {&piece, 1}), Outcome::success);
}

void write_with_a_dead_token(const Scene& scene) {
    const ConnectedPair pair(scene.driver);
    const Remote nowhere{address_of(pair.b), kDeadToken};
    ASSERT_EQ(pair.a.write(1, 0, 8, nowhere), Outcome::success);
    // NDK refuses the second one if the first has failed by then.
    const std::size_t accepted = pair.a.write(2, 8, 8, nowhere) == Outcome::success ? 2 : 1;
    for (const Completion& each : next(*pair.a.initiated, accepted)) EXPECT_NE(each.outcome, Outcome::success);
}

}  // namespace opennd::conformance
