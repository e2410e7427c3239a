// SPDX-License-Identifier: MIT
//
// Each failing call and each failed result has an explanation in opennd.h: the object, the operation, the value asked
// for, the limit, the remedy, and the requirement (ND2-GEN-02, ND2-GEN-10).
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "conformance/nd2/nd2_test.h"
#include "conformance/vocabulary/fixture.h"
#include "support/tested_device.h"

namespace opennd::conformance::nd2 {
namespace {

opennd_error last_error() {
    opennd_error error{};
    error.bytes = sizeof error;
    EXPECT_TRUE(is(opennd_last_error(&error), ND_SUCCESS));
    return error;
}

// The expected parts of an explanation. A text is looked for within the part.
struct Expected {
    HRESULT status;
    const char* object;
    const char* operation;
    const char* asked;
    const char* limit;
    const char* requirement;
};

testing::AssertionResult explains(const opennd_error& error, const Expected& expected) {
    const auto has = [](const char* text, const char* part) {
        return std::string(text).find(part) != std::string::npos;
    };
    const bool right = error.status == expected.status && has(error.object, expected.object) &&
                       has(error.operation, expected.operation) && has(error.asked, expected.asked) &&
                       has(error.limit, expected.limit) && std::string(error.requirement) == expected.requirement &&
                       std::string(error.status_name) == opennd_status_name(expected.status) &&
                       !std::string(error.remedy).empty();
    if (right) return testing::AssertionSuccess();
    return testing::AssertionFailure() << error.object << ": " << error.operation << ": " << error.status_name << ": "
                                       << error.asked << "; limit: " << error.limit << "; " << error.remedy << " ("
                                       << error.requirement << ")";
}

// The call gave the status, and the thread's last error explains it.
testing::AssertionResult fails(HRESULT status, const Expected& expected) {
    if (status != expected.status) return testing::AssertionFailure() << "returned " << opennd_status_name(status);
    return explains(last_error(), expected);
}

class Explanations : public Nd2Test {
protected:
    Explanations() { opennd_last_error_clear(); }

    HRESULT create_queue_pair(IUnknown* queue, ULONG receive_depth, ULONG initiator_sges) {
        ComPtr<IND2QueuePair> pair;
        return adapter_->CreateQueuePair(IID_IND2QueuePair, queue, queue, nullptr, receive_depth, 1, 1, initiator_sges,
                                         0, pair.out());
    }

    support::Buffer memory_{64};
    OverlappedRequest request_;
};

TEST_F(Explanations, OfAnAdapterNameTheArgumentAndItsLimit) {
    proves("ND2-GEN-02", "ND2-GEN-10");
    ComPtr<IND2CompletionQueue> out;
    const ULONG deepest = info_.MaxCompletionQueueDepth;
    EXPECT_TRUE(fails(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, deepest + 1, 0, 0, out.out()),
                      {ND_INVALID_PARAMETER_3, "adapter", "CreateCompletionQueue", std::to_string(deepest + 1).c_str(),
                       std::to_string(deepest).c_str(), "ND2-ADP-CQ-01"}));
    EXPECT_TRUE(
        fails(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, nullptr, 1, 0, 0, out.out()),
              {ND_INVALID_HANDLE, "adapter", "CreateCompletionQueue", "handle", "overlapped file", "ND2-FILE-07"}));
    EXPECT_TRUE(
        fails(adapter_->CreateCompletionQueue(IID_IND2Connector, file_, 1, 0, 0, out.out()),
              {E_NOINTERFACE, "adapter", "CreateCompletionQueue", "IID_IND2Connector", "interface", "ND2-COM-03"}));
    EXPECT_TRUE(fails(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, 1, 0, 0, nullptr),
                      {E_POINTER, "adapter", "CreateCompletionQueue", "NULL", "pointer", "ND2-GEN-04"}));
    auto queue = completion_queue();
    const ULONG most = info_.MaxReceiveQueueDepth;
    EXPECT_TRUE(fails(create_queue_pair(queue.get(), most + 1, 1),
                      {ND_INVALID_PARAMETER_5, "adapter", "CreateQueuePair", std::to_string(most + 1).c_str(),
                       std::to_string(most).c_str(), "ND2-ADP-QP-01"}));
    EXPECT_TRUE(fails(create_queue_pair(memory_region().get(), 1, 1),
                      {ND_INVALID_PARAMETER_2, "adapter", "CreateQueuePair", "receiveCompletionQueue",
                       "completion queue", "ND2-GEN-06"}));
    ULONG bytes = 95;
    EXPECT_TRUE(fails(adapter_->Query(&info_, &bytes),
                      {ND_BUFFER_OVERFLOW, "adapter", "Query", "95 bytes", "96 bytes", "ND2-ADP-QUERY-01"}));
}

TEST_F(Explanations, OfPostingNameTheRequestAndItsLimit) {
    proves("ND2-GEN-02", "ND2-GEN-10");
    auto queue = completion_queue();
    auto pair = queue_pair(queue.get());
    const std::vector<ND2_SGE> many(5, ND2_SGE{memory_.data(), 1, 0});
    EXPECT_TRUE(fails(pair->Receive(nullptr, many.data(), 5),
                      {ND_DATA_OVERRUN, "queue pair", "Receive", "5 scatter/gather", "4", "ND2-QP-POST-04"}));
    const std::vector<ND2_SGE> heavy(2, ND2_SGE{memory_.data(), info_.MaxTransferLength, 0});
    EXPECT_TRUE(fails(pair->Receive(nullptr, heavy.data(), 2),
                      {ND_BUFFER_OVERFLOW, "queue pair", "Receive",
                       std::to_string(2ull * info_.MaxTransferLength).c_str(), "MaxTransferLength", "ND2-QP-POST-05"}));
    EXPECT_TRUE(
        fails(pair->Send(nullptr, many.data(), 1, ND_OP_FLAG_INLINE),
              {ND_BUFFER_OVERFLOW, "queue pair", "Send", "1 bytes inline", "0 inline bytes", "ND2-QP-POST-05"}));
    EXPECT_TRUE(fails(pair->Send(nullptr, nullptr, 1, 0),
                      {ND_INVALID_PARAMETER_2, "queue pair", "Send", "sge is NULL", "pointer", "ND2-GEN-04"}));
    EXPECT_TRUE(fails(pair->Send(nullptr, nullptr, 0, 0x40),
                      {ND_INVALID_PARAMETER_4, "queue pair", "Send", "0x40", "0x27", "ND2-QP-POST-09"}));
    EXPECT_TRUE(fails(pair->Write(nullptr, nullptr, 0, 0, 0, 0),
                      {ND_CONNECTION_INVALID, "queue pair", "Write", "before there is a connection", "CompleteConnect",
                       "ND2-QP-POST-07"}));
    for (int i = 0; i < 8; ++i) ASSERT_TRUE(is(pair->Receive(nullptr, nullptr, 0), ND_SUCCESS));
    EXPECT_TRUE(fails(pair->Receive(nullptr, nullptr, 0),
                      {ND_NO_MORE_ENTRIES, "queue pair", "Receive", "one more", "8", "ND2-QP-POST-06"}));
}

TEST_F(Explanations, OfMemoryNameTheRange) {
    proves("ND2-GEN-02", "ND2-GEN-10");
    auto region = memory_region();
    const auto enroll = [&](const void* start, SIZE_T bytes, ULONG flags) {
        return finish(region->Register(start, bytes, flags, request_.get()), request_, region.get());
    };
    EXPECT_TRUE(fails(enroll(memory_.data(), 0, 0),
                      {ND_INVALID_BUFFER_SIZE, "memory region", "Register", "0 bytes", "1 byte", "ND2-MR-REG-01"}));
    EXPECT_TRUE(fails(enroll(nullptr, 1, 0),
                      {ND_INVALID_PARAMETER, "memory region", "Register", "at 0x0", "a buffer", "ND2-MR-REG-01"}));
    EXPECT_TRUE(fails(enroll(memory_.data(), 1, 0x10),
                      {ND_INVALID_PARAMETER, "memory region", "Register", "flags 0x10", "0x", "ND2-MR-REG-01"}));
    EXPECT_TRUE(fails(enroll(reinterpret_cast<void*>(4096), 1, 0),
                      {ND_ACCESS_VIOLATION, "memory region", "Register", "0x1000", "mapped", "ND2-MR-REG-01"}));
    EXPECT_TRUE(fails(region->Deregister(request_.get()), {ND_INVALID_DEVICE_STATE, "memory region", "Deregister",
                                                           "does not exist", "Register", "ND2-MR-DEREG-01"}));
    EXPECT_TRUE(fails(region->Deregister(nullptr), {ND_INVALID_PARAMETER, "OVERLAPPED", "overlapped",
                                                    "pOverlapped is NULL", "pointer", "ND2-GEN-04"}));
}

TEST_F(Explanations, OfConnectingNameTheStateAndTheAddress) {
    proves("ND2-GEN-02", "ND2-GEN-10");
    auto queue = completion_queue();
    auto pair = queue_pair(queue.get());
    auto object = connector();
    const SocketAddress own = loopback_address(), peer = loopback_address(50'000);
    const auto connect = [&](const SocketAddress& to, ULONG data_bytes) {
        const std::vector<std::byte> data(data_bytes);
        return object->Connect(pair.get(), as_sockaddr(to), sizeof to, 0, 0, data.data(), data_bytes, request_.get());
    };
    EXPECT_TRUE(fails(object->CompleteConnect(request_.get()),
                      {ND_CONNECTION_INVALID, "connector", "CompleteConnect", "idle", "replied", "ND2-CON-CMPL-01"}));
    EXPECT_TRUE(
        fails(connect(peer, 0), {kAddressNotAssociated, "connector", "Connect", "idle", "bound", "ND2-CON-CONN-01"}));
    EXPECT_TRUE(fails(connect(peer, info_.MaxCallerData + 1),
                      {ND_INVALID_BUFFER_SIZE, "connector", "Connect", std::to_string(info_.MaxCallerData + 1).c_str(),
                       std::to_string(info_.MaxCallerData).c_str(), "ND2-CON-CONN-01"}));
    EXPECT_TRUE(fails(connect(loopback_address(0), 0),
                      {ND_INVALID_ADDRESS, "connector", "Connect", "127.0.0.1:0", "a port", "ND2-CON-CONN-01"}));
    EXPECT_TRUE(fails(object->Bind(as_sockaddr(own), 15),
                      {ND_INVALID_ADDRESS, "connector", "Bind", "15 bytes", "16", "ND2-CON-ADDR-01"}));
    ASSERT_TRUE(is(object->Bind(as_sockaddr(own), sizeof own), ND_SUCCESS));
    EXPECT_TRUE(fails(object->Bind(as_sockaddr(own), sizeof own),
                      {kAddressAlreadyAssociated, "connector", "Bind", "bound", "once", "ND2-CON-BIND-02"}));
    auto first = listener(), second = listener();
    ASSERT_TRUE(is(first->Bind(as_sockaddr(own), sizeof own), ND_SUCCESS));
    SocketAddress taken{};
    ULONG bytes = sizeof taken;
    ASSERT_TRUE(is(first->GetLocalAddress(as_sockaddr(taken), &bytes), ND_SUCCESS));
    EXPECT_TRUE(
        fails(second->Bind(as_sockaddr(taken), sizeof taken),
              {ND_SHARING_VIOLATION, "listener 127.0.0.1:", "Bind", "address and port", "another", "ND2-LIS-BIND-01"}));
    EXPECT_TRUE(fails(second->Listen(0),
                      {kAddressNotAssociated, "listener", "Listen", "idle", "after Bind", "ND2-LIS-LIST-01"}));
}

TEST_F(Explanations, OfTheHelperFunctionsAndOfHandles) {
    proves("ND2-GEN-02");
    SocketAddress foreign = loopback_address();
    foreign.set_host("192.0.2.1", "2001:db8::1");  // 192.0.2.1, for documentation only
    EXPECT_TRUE(fails(NdCheckAddress(as_sockaddr(foreign), sizeof foreign),
                      {ND_INVALID_ADDRESS, "helper", "NdCheckAddress", "192.0.2.1", "this host", "NDS-CHK-01"}));
    EXPECT_TRUE(fails(NdCheckAddress(as_sockaddr(foreign), 15),
                      {ND_INVALID_PARAMETER_2, "helper", "NdCheckAddress", "15 bytes", "16", "NDS-CHK-02"}));
    EXPECT_TRUE(fails(opennd_event_set(file_),
                      {ND_INVALID_HANDLE, "event", "opennd_event_set", "handle", "event", "ND2-OVL-05"}));
    EXPECT_TRUE(fails(opennd_transport_select("telepathy"),
                      {ND_INVALID_PARAMETER, "transports", "choice", "telepathy", "shm", "ND2-CON-CONN-08"}));
}

TEST_F(Explanations, OfAFailedConnectNameItAndBothAddresses) {
    proves("ND2-GEN-10");
    auto queue = completion_queue();
    auto pair = queue_pair(queue.get());
    auto object = connector();
    const SocketAddress own = loopback_address(), nobody = loopback_address(1);
    ASSERT_TRUE(is(object->Bind(as_sockaddr(own), sizeof own), ND_SUCCESS));
    const HRESULT begun =
        object->Connect(pair.get(), as_sockaddr(nobody), sizeof nobody, 0, 0, nullptr, 0, request_.get());
    ASSERT_TRUE(is(begun, ND_PENDING));
    EXPECT_TRUE(is(last_error().status, ND_SUCCESS)) << "what is pending has not failed";
    EXPECT_TRUE(fails(
        finish(begun, request_, object.get()),
        {ND_CONNECTION_REFUSED, "connector", "Connect", "a connection between ", "a listener", "ND2-CON-CONN-05"}));
    const std::string asked = last_error().asked, host = support::loopback_host();
    EXPECT_NE(asked.find("between " + host + ":"), std::string::npos) << asked;
    EXPECT_EQ(asked.substr(asked.find(" and ")), " and " + host + ":1");
}

TEST_F(Explanations, ASuccessAndAQuestionLeaveTheLastOneAlone) {
    proves("ND2-GEN-02");
    ASSERT_TRUE(is(adapter_->CreateOverlappedFile(nullptr), ND_INVALID_PARAMETER));
    const Expected expected{ND_INVALID_PARAMETER, "adapter", "CreateOverlappedFile", "NULL", "", "ND2-GEN-04"};
    auto queue = completion_queue();
    auto pair = queue_pair(queue.get());
    ASSERT_TRUE(is(pair->Receive(nullptr, nullptr, 0), ND_SUCCESS));
    ASSERT_TRUE(is(queue->Notify(ND_CQ_NOTIFY_ANY, request_.get()), ND_PENDING));
    void* other = nullptr;
    ASSERT_TRUE(is(queue->QueryInterface(IID_IND2Listener, &other), E_NOINTERFACE));
    EXPECT_TRUE(is(opennd_last_error(nullptr), ND_INVALID_PARAMETER)) << "and is no failure to be kept";
    EXPECT_TRUE(explains(last_error(), expected));
    std::thread([] { EXPECT_TRUE(is(last_error().status, ND_SUCCESS)) << "each thread has its own"; }).join();
    EXPECT_TRUE(explains(last_error(), expected));
    opennd_last_error_clear();
    EXPECT_TRUE(is(last_error().status, ND_SUCCESS));
    EXPECT_STREQ(last_error().object, "");
}

TEST_F(Explanations, FillNoMoreThanTheProgramKnows) {
    opennd_error error{};
    error.bytes = sizeof error - 1;
    EXPECT_TRUE(is(opennd_last_error(&error), ND_INVALID_PARAMETER)) << "shorter than the first version";
    struct {
        opennd_error known;
        unsigned char later[64];
    } longer{};
    longer.later[0] = 0xEE;
    longer.known.bytes = sizeof longer;
    EXPECT_TRUE(is(opennd_last_error(&longer.known), ND_SUCCESS));
    EXPECT_EQ(longer.known.bytes, sizeof(opennd_error)) << "how much was filled in";
    EXPECT_EQ(longer.later[0], 0xEE);
}

// ---- requests that fail after they were accepted --------------------------------------------------------------------

// Collects the sink's explanations. The sink may run on any thread.
class Sink {
public:
    Sink() {
        support::require(
            opennd_error_sink([](void* self, const opennd_error* error) { static_cast<Sink*>(self)->add(*error); },
                              this),
            ND_SUCCESS, "opennd_error_sink");
    }
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;
    ~Sink() { (void)opennd_error_sink(nullptr, nullptr); }

    std::size_t count(HRESULT status, const std::string& operation, const std::string& requirement) {
        const std::lock_guard lock(mutex_);
        std::size_t found = 0;
        for (const Seen& seen : seen_)
            if (seen.status == status && seen.operation == operation && seen.requirement == requirement &&
                seen.complete)
                ++found;
        return found;
    }

private:
    struct Seen {
        HRESULT status;
        std::string operation, requirement;
        bool complete;
    };

    void add(const opennd_error& error) {
        const std::lock_guard lock(mutex_);
        const bool complete = *error.object && *error.asked && *error.limit && *error.remedy;
        seen_.push_back({error.status, error.operation, error.requirement, complete});
    }

    std::mutex mutex_;
    std::vector<Seen> seen_;
};

class ExplainedResults : public ConformanceTest {
protected:
    ExplainedResults() { opennd_last_error_clear(); }

    Sink sink_;
};

TEST_P(ExplainedResults, AReadWithoutALiveTokenIsReportedOnceAndExplainedToWhoTakesIt) {
    if (const char* const why = support::lacks(support::Ability::tells_refused_reads)) GTEST_SKIP() << why;
    proves("ND2-GEN-10");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.a.read(1, 0, 64, {pair.b.remote().address, 0}), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::read, 1, Outcome::access_violation));
    EXPECT_TRUE(
        explains(last_error(), {ND_ACCESS_VIOLATION, "queue pair", "Read", "result", "registered", "ND2-QP-RDMA-03"}));
    EXPECT_EQ(sink_.count(ND_ACCESS_VIOLATION, "Read", "ND2-QP-RDMA-03"), 1u);
}

TEST_P(ExplainedResults, AReceiveThatIsTooSmallIsReportedAtBothSides) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    proves("ND2-GEN-10");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(7, 0, 8), Outcome::success);
    ASSERT_EQ(pair.a.send(1, 0, 9), Outcome::success);
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 7, Outcome::data_overrun));
    EXPECT_TRUE(
        explains(last_error(), {ND_DATA_OVERRUN, "queue pair", "Receive", "result", "receive", "ND2-QP-SEND-07"}));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 1, Outcome::data_error));
    EXPECT_EQ(sink_.count(ND_DATA_OVERRUN, "Receive", "ND2-QP-SEND-07"), 1u);
    EXPECT_EQ(sink_.count(STATUS_DATA_ERROR, "Send", "ND2-QP-SEND-07"), 1u);
}

TEST_P(ExplainedResults, ARefusedConnectIsReportedAndExplainedToWhoAsks) {
    proves("ND2-GEN-10");
    Endpoint caller(driver(), EndpointOptions{.memory_bytes = 64});
    ASSERT_EQ(caller.connector->bind(local_address()), Outcome::success);
    const Operation connect = caller.connector->connect(*caller.queue_pair, local_address(1), {}, {});
    EXPECT_EQ(connect.wait(), Outcome::connection_refused);
    EXPECT_EQ(sink_.count(ND_CONNECTION_REFUSED, "Connect", "ND2-CON-CONN-05"), 1u);
}

TEST_P(ExplainedResults, ARejectionIsReportedAtTheActiveSide) {
    proves("ND2-GEN-10");
    Handshake handshake(driver());
    handshake.requested();
    ASSERT_EQ(handshake.passive.connector->reject({}), Outcome::success);
    EXPECT_EQ(handshake.connect->wait(), Outcome::connection_refused);
    EXPECT_EQ(sink_.count(ND_CONNECTION_REFUSED, "Connect", "ND2-CON-CONN-05"), 1u);
}

TEST_P(ExplainedResults, AnAcceptThatThePeerAbandonsIsReportedOnce) {
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    proves("ND2-GEN-10");
    Handshake handshake(driver());
    handshake.replied();
    EXPECT_EQ(sink_.count(ND_CONNECTION_REFUSED, "Accept", "ND2-CON-ACC-03"), 0u);
    ASSERT_EQ(handshake.active.connector->reject({}), Outcome::success);
    EXPECT_EQ(handshake.accept->wait(), Outcome::connection_refused);
    EXPECT_EQ(sink_.count(ND_CONNECTION_REFUSED, "Accept", "ND2-CON-ACC-03"), 1u);
}

TEST_P(ExplainedResults, FlushedResultsAreConsequencesAndNotReported) {
    proves("ND2-GEN-10");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.a.receive(1, 0, 8), Outcome::success);
    ASSERT_EQ(pair.a.queue_pair->flush(), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.received, RequestKind::receive, 1, Outcome::canceled));
    EXPECT_TRUE(explains(last_error(), {ND_CANCELED, "queue pair", "Receive", "result", "flushed", "ND2-QP-FLUSH-01"}));
    EXPECT_EQ(sink_.count(ND_CANCELED, "Receive", "ND2-QP-FLUSH-01"), 0u);
}

INSTANTIATE_TEST_SUITE_P(, ExplainedResults, testing::ValuesIn(variants_of("Nd2")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd2
