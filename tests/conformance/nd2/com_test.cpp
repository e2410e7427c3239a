// SPDX-License-Identifier: MIT
//
// COM rules: interfaces, counts, creation, release in any order. Requirements ND2-COM-*, ND2-FILE-07, vector 16.
#include <functional>
#include <vector>

#include "conformance/nd2/nd2_test.h"

namespace opennd::conformance::nd2 {
namespace {

class Com : public Nd2Test {
protected:
    using Create = std::function<HRESULT(REFIID, void**)>;

    struct Kind {
        const char* name;
        IID iid;
        bool overlapped;
        Create create;
    };

    std::vector<Kind> kinds() {
        return {
            {"completion queue", IID_IND2CompletionQueue, true,
             [this](REFIID iid, void** out) { return adapter_->CreateCompletionQueue(iid, file_, 8, 0, 0, out); }},
            {"shared receive queue", IID_IND2SharedReceiveQueue, true,
             [this](REFIID iid, void** out) {
                 return adapter_->CreateSharedReceiveQueue(iid, file_, 8, 4, 0, 0, 0, out);
             }},
            {"memory region", IID_IND2MemoryRegion, true,
             [this](REFIID iid, void** out) { return adapter_->CreateMemoryRegion(iid, file_, out); }},
            {"queue pair", IID_IND2QueuePair, false,
             [this](REFIID iid, void** out) {
                 return adapter_->CreateQueuePair(iid, queue_.get(), queue_.get(), nullptr, 4, 4, 4, 4, 0, out);
             }},
            {"connector", IID_IND2Connector, true,
             [this](REFIID iid, void** out) { return adapter_->CreateConnector(iid, file_, out); }},
            {"listener", IID_IND2Listener, true,
             [this](REFIID iid, void** out) { return adapter_->CreateListener(iid, file_, out); }},
        };
    }

    ComPtr<IND2CompletionQueue> queue_ = completion_queue();
};

TEST_F(Com, ObjectsAnswerForTheirInterfacesAndNoOther) {
    proves("ND2-COM-01", "ND2-COM-02");
    for (const Kind& kind : kinds()) {
        SCOPED_TRACE(kind.name);
        ComPtr<IUnknown> object;
        ASSERT_TRUE(is(kind.create(kind.iid, object.out()), ND_SUCCESS));
        ComPtr<IUnknown> own, unknown, base, other;
        EXPECT_TRUE(is(object->QueryInterface(kind.iid, own.out()), S_OK));
        EXPECT_TRUE(is(object->QueryInterface(IID_IUnknown, unknown.out()), S_OK));
        EXPECT_TRUE(is(object->QueryInterface(IID_IND2Overlapped, base.out()), kind.overlapped ? S_OK : E_NOINTERFACE));
        EXPECT_EQ(static_cast<bool>(base), kind.overlapped);
        void* unset = &unset;
        EXPECT_TRUE(is(object->QueryInterface(IID_IND2Provider, &unset), E_NOINTERFACE));
        EXPECT_EQ(unset, nullptr) << "a failing QueryInterface stores NULL";
        EXPECT_TRUE(is(object->QueryInterface(kind.iid, nullptr), E_POINTER));
    }
}

TEST_F(Com, IUnknownIsOnePointerValue) {
    proves("ND2-COM-02");
    for (const Kind& kind : kinds()) {
        SCOPED_TRACE(kind.name);
        ComPtr<IUnknown> object, first, second;
        ASSERT_TRUE(is(kind.create(kind.iid, object.out()), ND_SUCCESS));
        ASSERT_TRUE(is(object->QueryInterface(IID_IUnknown, first.out()), S_OK));
        ASSERT_TRUE(is(first->QueryInterface(IID_IUnknown, second.out()), S_OK));
        EXPECT_EQ(first.get(), second.get());
    }
}

TEST_F(Com, CountsAreReturnedAndEndAtZero) {
    proves("ND2-COM-05", "ND2-COM-06");
    for (const Kind& kind : kinds()) {
        SCOPED_TRACE(kind.name);
        ComPtr<IUnknown> object;
        ASSERT_TRUE(is(kind.create(kind.iid, object.out()), ND_SUCCESS));
        EXPECT_EQ(object->AddRef(), 2u);
        EXPECT_EQ(object->Release(), 1u);
        EXPECT_EQ(object.reset(), 0u);
    }
}

TEST_F(Com, CreateTakesTheIidsOfBases) {
    proves("ND2-COM-03");
    for (const Kind& kind : kinds()) {
        SCOPED_TRACE(kind.name);
        ComPtr<IUnknown> unknown, base;
        EXPECT_TRUE(is(kind.create(IID_IUnknown, unknown.out()), ND_SUCCESS));
        EXPECT_TRUE(is(kind.create(IID_IND2Overlapped, base.out()), kind.overlapped ? ND_SUCCESS : E_NOINTERFACE));
    }
}

TEST_F(Com, CreateRefusesOtherIidsAndStoresNull) {
    proves("ND2-COM-03", "ND2-COM-04", "ND2-GEN-04");
    for (const Kind& kind : kinds()) {
        SCOPED_TRACE(kind.name);
        void* out = &out;
        EXPECT_TRUE(is(kind.create(IID_IND2Provider, &out), E_NOINTERFACE));
        EXPECT_EQ(out, nullptr);
        EXPECT_TRUE(is(kind.create(kind.iid, nullptr), E_POINTER));
    }
}

TEST_F(Com, CreateRefusesAHandleThatIsNoOverlappedFileOfTheAdapter) {
    proves("ND2-FILE-07");
    auto other = support::open_loopback_adapter();
    HANDLE foreign = nullptr, event = nullptr;
    ASSERT_TRUE(is(other->CreateOverlappedFile(&foreign), ND_SUCCESS));
    ASSERT_TRUE(is(opennd_event_create(TRUE, FALSE, &event), ND_SUCCESS));
    for (HANDLE handle : {HANDLE{nullptr}, event, foreign}) {
        void* out = &out;
        EXPECT_TRUE(
            is(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, handle, 8, 0, 0, &out), ND_INVALID_HANDLE));
        EXPECT_EQ(out, nullptr);
        EXPECT_TRUE(is(adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, handle, &out), ND_INVALID_HANDLE));
        EXPECT_TRUE(is(adapter_->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, handle, 8, 4, 0, 0, 0, &out),
                       ND_INVALID_HANDLE));
        EXPECT_TRUE(is(adapter_->CreateConnector(IID_IND2Connector, handle, &out), ND_INVALID_HANDLE));
        EXPECT_TRUE(is(adapter_->CreateListener(IID_IND2Listener, handle, &out), ND_INVALID_HANDLE));
    }
    EXPECT_TRUE(is(opennd_handle_close(foreign), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_handle_close(event), ND_SUCCESS));
}

TEST_F(Com, InternalReferencesDoNotShow) {
    proves("ND2-COM-06", "ND2-CLI-92");
    auto pair = queue_pair(queue_.get());
    EXPECT_EQ(queue_.reset(), 0u) << "although a queue pair uses it";
    auto region = memory_region();
    support::Buffer memory(64);
    OverlappedRequest request;
    ASSERT_TRUE(is(finish(region->Register(memory.data(), 64, 0, request.get()), request, region.get()), ND_SUCCESS));
    EXPECT_EQ(region.reset(), 0u) << "although it is registered";
    EXPECT_EQ(adapter_.reset(), 0u) << "although objects of it live";
    EXPECT_EQ(pair.reset(), 0u);
}

// Vector 16: every order of two, requests pending, the file closed before all of them.
TEST_F(Com, ReleasesAreLegalInEveryOrderWithRequestsPending) {
    proves("ND2-COM-08", "ND2-COM-10", "ND2-OVL-13", "ND2-FILE-02", "ND2-FILE-03");
    constexpr int kObjects = 6;
    for (int first = 0; first < kObjects; ++first) {
        for (int second = 0; second < kObjects; ++second) {
            if (first == second) continue;
            SCOPED_TRACE(testing::Message() << "first " << first << ", second " << second);
            auto adapter = support::open_loopback_adapter();
            std::swap(adapter_, adapter);
            HANDLE file = nullptr;
            ASSERT_TRUE(is(adapter_->CreateOverlappedFile(&file), ND_SUCCESS));
            std::swap(file_, file);
            OverlappedRequest notify, incoming, registration;
            support::Buffer memory(4096);
            auto queue = completion_queue();
            auto pair = queue_pair(queue.get());
            auto region = memory_region();
            auto taker = connector();
            auto listening = listener();
            const SocketAddress address = loopback_address();
            ASSERT_TRUE(is(listening->Bind(as_sockaddr(address), sizeof address), ND_SUCCESS));
            ASSERT_TRUE(is(listening->Listen(0), ND_SUCCESS));
            ASSERT_TRUE(is(listening->GetConnectionRequest(taker.get(), incoming.get()), ND_PENDING));
            ASSERT_TRUE(is(queue->Notify(ND_CQ_NOTIFY_ERRORS, notify.get()), ND_PENDING));
            ASSERT_TRUE(is(pair->Receive(nullptr, nullptr, 0), ND_SUCCESS));
            ASSERT_TRUE(is(region->Register(memory.data(), 4096, 0, registration.get()), ND_PENDING));
            EXPECT_TRUE(is(opennd_handle_close(file_), ND_SUCCESS));
            const std::function<unsigned()> release[kObjects] = {
                [&] { return adapter_.reset(); }, [&] { return queue.reset(); }, [&] { return pair.reset(); },
                [&] { return region.reset(); },   [&] { return taker.reset(); }, [&] { return listening.reset(); }};
            EXPECT_EQ(release[first](), 0u);
            EXPECT_EQ(release[second](), 0u);
            for (const auto& rest : release) EXPECT_EQ(rest(), 0u);
            EXPECT_EQ(static_cast<HRESULT>(notify.get()->Internal), ND_CANCELED);
            EXPECT_EQ(static_cast<HRESULT>(incoming.get()->Internal), ND_CANCELED);
            EXPECT_EQ(static_cast<HRESULT>(registration.get()->Internal), ND_SUCCESS) << "not cancellable";
            EXPECT_TRUE(is(opennd_event_wait(notify.event(), 0), ND_SUCCESS)) << "events are set when Release returns";
            adapter_ = std::move(adapter);
            file_ = file;
        }
    }
}

}  // namespace
}  // namespace opennd::conformance::nd2
