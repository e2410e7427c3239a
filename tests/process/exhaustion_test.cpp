// SPDX-License-Identifier: MIT
//
// No memory left, no descriptor left: every call says so with a definite status, leaves nothing behind, and works again
// once there is some. Requirements ND2-FILE-01, ND2-ADP-CON-01, ND2-PRV-OPEN-01.
#include <opennd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <functional>
#include <vector>

#include "process/allocator.h"
#include "process/child.h"
#include "support/adapter.h"
#include "support/overlapped_request.h"
#include "support/process_resources.h"
#include "support/requirement.h"
#include "support/status.h"

namespace opennd::process {
namespace {

using support::as_sockaddr;
using support::ComPtr;
using support::is;
using support::is_one_of;
using support::proves;

class Exhaustion : public testing::Test {
protected:
    Exhaustion() {
        support::require(adapter_->CreateOverlappedFile(&file_), ND_SUCCESS, "CreateOverlappedFile");
        support::require(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, 16, 0, 0, queue_.out()),
                         ND_SUCCESS, "CreateCompletionQueue");
    }
    ~Exhaustion() override { EXPECT_TRUE(is(opennd_handle_close(file_), ND_SUCCESS)); }

    // Every way to make an object of the adapter.
    using Create = std::function<HRESULT(void**)>;
    struct Kind {
        const char* name;
        Create create;
    };
    std::vector<Kind> kinds() {
        return {
            {"completion queue",
             [this](void** out) {
                 return adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, 16, 0, 0, out);
             }},
            {"memory region",
             [this](void** out) { return adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, out); }},
            {"queue pair",
             [this](void** out) {
                 return adapter_->CreateQueuePair(IID_IND2QueuePair, queue_.get(), queue_.get(), nullptr, 8, 8, 4, 4,
                                                  64, out);
             }},
            {"connector", [this](void** out) { return adapter_->CreateConnector(IID_IND2Connector, file_, out); }},
            {"listener", [this](void** out) { return adapter_->CreateListener(IID_IND2Listener, file_, out); }},
        };
    }

    // Lets each allocation of the call fail in turn, with all later ones, until there are enough; then undoes the call.
    // Returns the number of allocations it needs.
    static std::size_t with_each_allocation_failing(const std::function<HRESULT()>& call,
                                                    const std::function<void()>& undo) {
        for (std::size_t granted = 0;; ++granted) {
            HRESULT status = ND_SUCCESS;
            {
                const AllocationLimit limit(granted);
                status = call();
            }
            if (status == ND_SUCCESS) {
                undo();
                return granted;
            }
            EXPECT_TRUE(is_one_of(status, {ND_NO_MEMORY, ND_INSUFFICIENT_RESOURCES})) << granted << " allocations";
            if (testing::Test::HasFailure() || granted > 1000) return 0;
        }
    }

    support::Startup startup_;
    ComPtr<IND2Adapter> adapter_ = support::open_loopback_adapter();
    HANDLE file_ = nullptr;
    ComPtr<IND2CompletionQueue> queue_;
};

TEST_F(Exhaustion, WithoutMemoryNoObjectIsMadeAndNothingIsLeft) {
    proves("ND2-ADP-CON-01", "ND2-ADP-MR-01", "ND2-COM-04");
    for (const Kind& kind : kinds()) {
        SCOPED_TRACE(kind.name);
        long alive = 0;
        for (const bool first : {true, false}) {  // the first one makes the objects that are kept for the next
            alive = first ? 0 : live_allocations();
            ComPtr<IUnknown> object;
            const std::size_t needed = with_each_allocation_failing(
                [&] {
                    void* made = &made;
                    const HRESULT status = kind.create(&made);
                    EXPECT_EQ(made != nullptr, SUCCEEDED(status));
                    object = ComPtr<IUnknown>(static_cast<IUnknown*>(made));
                    return status;
                },
                [&] { EXPECT_EQ(object.reset(), 0u); });
            EXPECT_GT(needed, 0u);
        }
        EXPECT_EQ(live_allocations(), alive) << "allocations";
    }
}

TEST_F(Exhaustion, WithoutMemoryNoOverlappedFileIsMade) {
    proves("ND2-FILE-01");
    HANDLE first = nullptr;  // the first one makes the objects that are kept for the next
    ASSERT_TRUE(is(adapter_->CreateOverlappedFile(&first), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_handle_close(first), ND_SUCCESS));
    const long alive = live_allocations();
    HANDLE file = nullptr;
    EXPECT_GT(with_each_allocation_failing([&] { return adapter_->CreateOverlappedFile(&file); },
                                           [&] { EXPECT_TRUE(is(opennd_handle_close(file), ND_SUCCESS)); }),
              0u);
    EXPECT_EQ(live_allocations(), alive) << "allocations";
    EXPECT_TRUE(is(adapter_->CreateOverlappedFile(nullptr), ND_INVALID_PARAMETER));
}

TEST_F(Exhaustion, WithoutMemoryNoAdapterIsOpened) {
    proves("ND2-PRV-OPEN-01", "ND2-PRV-RES-01");
    ComPtr<IND2Provider> provider;
    ASSERT_TRUE(is(DllGetClassObject(CLSID_OpenNDProvider, IID_IND2Provider, provider.out()), S_OK));
    const SocketAddress address = support::loopback_address();
    UINT64 id = 0;
    with_each_allocation_failing([&] { return provider->ResolveAddress(as_sockaddr(address), sizeof address, &id); },
                                 [] {});
    ComPtr<IND2Adapter> opened;
    const auto before = support::resources_in_use();
    EXPECT_GT(with_each_allocation_failing([&] { return provider->OpenAdapter(IID_IND2Adapter, id, opened.out()); },
                                           [&] { EXPECT_EQ(opened.reset(), 0u); }),
              0u);
    EXPECT_EQ(support::resources_in_use(), before);
}

TEST_F(Exhaustion, WithoutMemoryNoRequestIsAccepted) {
    proves("ND2-OVL-02", "ND2-ADP-CON-01");
    support::OverlappedRequest request;
    for (std::size_t granted = 0;; ++granted) {
        request.get()->Internal = 4711;
        HRESULT status = ND_SUCCESS;
        {
            const AllocationLimit limit(granted);
            status = queue_->Notify(ND_CQ_NOTIFY_ANY, request.get());
        }
        if (status == ND_PENDING) break;
        ASSERT_TRUE(is(status, ND_NO_MEMORY));
        ASSERT_LT(granted, 1000u);
    }
    EXPECT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(request.wait(queue_.get()), ND_CANCELED));
}

TEST_F(Exhaustion, WithoutMemoryWhatPeersCanMapIsGivenBackAndNoneOfItIsLost) {
    proves("ND2-GEN-02");
    constexpr SIZE_T kBytes = 64 * 1024;
    void* first = nullptr;
    void* between = nullptr;
    void* last = nullptr;
    for (void** block : {&first, &between, &last}) ASSERT_TRUE(is(opennd_memory_allocate(kBytes, block), ND_SUCCESS));
    {
        const AllocationLimit none(0);
        EXPECT_TRUE(is(opennd_memory_free(between), ND_SUCCESS)) << "a range between two that stay";
    }
    long alive = 0;
    for (const bool first_time : {true, false}) {  // the first one makes the objects that are kept for the next
        if (!first_time) alive = live_allocations();
        void* again = nullptr;
        with_each_allocation_failing([&] { return opennd_memory_allocate(kBytes / 2, &again); },
                                     [&] {
                                         EXPECT_EQ(again, between) << "a failed call took it away";
                                         EXPECT_TRUE(is(opennd_memory_free(again), ND_SUCCESS));
                                     });
        void* large = nullptr;  // more than a common segment has: one of its own, which goes with it
        EXPECT_GT(
            with_each_allocation_failing([&] { return opennd_memory_allocate((SIZE_T{1} << 30) + kBytes, &large); },
                                         [&] { EXPECT_TRUE(is(opennd_memory_free(large), ND_SUCCESS)); }),
            0u);
    }
    EXPECT_EQ(live_allocations(), alive) << "allocations";
    EXPECT_TRUE(is(opennd_memory_free(first), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_memory_free(last), ND_SUCCESS));
}

// No descriptor can be opened while it lives; those there are stay.
class NoDescriptors {
public:
    NoDescriptors() {
        getrlimit(RLIMIT_NOFILE, &limit_);
        const rlimit none{STDERR_FILENO + 1, limit_.rlim_max};  // as many as are open for sure; poll needs one
        EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    }
    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;
    ~NoDescriptors() { EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &limit_), 0); }

private:
    rlimit limit_{};
};

TEST_F(Exhaustion, WithoutDescriptorsObjectsAreMadeThatNeedNone) {
    proves("ND2-FILE-01", "ND2-ADP-CON-01");
    const NoDescriptors none;
    HANDLE file = nullptr;
    ASSERT_TRUE(is(adapter_->CreateOverlappedFile(&file), ND_SUCCESS));
    for (const Kind& kind : kinds()) {
        SCOPED_TRACE(kind.name);
        ComPtr<IUnknown> object;
        EXPECT_TRUE(is(kind.create(object.out()), ND_SUCCESS));
    }
    EXPECT_TRUE(is(opennd_handle_close(file), ND_SUCCESS));
}

TEST_F(Exhaustion, WithoutDescriptorsAnEventHasNone) {
    HANDLE event = nullptr;
    int descriptor = -1;
    {
        const NoDescriptors none;
        ASSERT_TRUE(is(opennd_event_create(TRUE, TRUE, &event), ND_SUCCESS));
        EXPECT_TRUE(is(opennd_event_wait(event, 0), ND_SUCCESS));
        EXPECT_TRUE(is(opennd_event_descriptor(event, &descriptor), ND_INSUFFICIENT_RESOURCES));
    }
    EXPECT_TRUE(is(opennd_event_descriptor(event, &descriptor), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_handle_close(event), ND_SUCCESS));
}

TEST_F(Exhaustion, WithoutDescriptorsNoPortOrAdapterIsMade) {
    const auto before = support::settled_resources();
    {
        const NoDescriptors none;
        HANDLE handle = nullptr;
        EXPECT_TRUE(is(opennd_port_create(&handle), ND_INSUFFICIENT_RESOURCES));
        const SocketAddress address = support::loopback_address();
        ComPtr<IND2Adapter> adapter;
        EXPECT_TRUE(is_one_of(NdOpenAdapter(IID_IND2Adapter, as_sockaddr(address), sizeof address, adapter.out()),
                              {ND_INSUFFICIENT_RESOURCES, ND_INVALID_ADDRESS}))
            << "the addresses cannot be asked for either";
    }
    EXPECT_EQ(support::settled_resources(), before);
}

TEST_F(Exhaustion, WithoutDescriptorsConnectingFailsAndWorksLater) {
    proves("ND2-ADP-CON-01", "ND2-CON-CONN-06");
    const SocketAddress any_port = support::loopback_address();
    ComPtr<IND2Listener> listener;
    ComPtr<IND2Connector> connector;
    ComPtr<IND2QueuePair> queue_pair;
    ASSERT_TRUE(is(adapter_->CreateListener(IID_IND2Listener, file_, listener.out()), ND_SUCCESS));
    ASSERT_TRUE(is(adapter_->CreateConnector(IID_IND2Connector, file_, connector.out()), ND_SUCCESS));
    ASSERT_TRUE(is(adapter_->CreateQueuePair(IID_IND2QueuePair, queue_.get(), queue_.get(), nullptr, 8, 8, 4, 4, 64,
                                             queue_pair.out()),
                   ND_SUCCESS));
    ASSERT_TRUE(is(connector->Bind(as_sockaddr(any_port), sizeof any_port), ND_SUCCESS));
    support::OverlappedRequest request;
    const auto before = support::settled_resources();
    {
        const NoDescriptors none;
        EXPECT_TRUE(is(listener->Bind(as_sockaddr(any_port), sizeof any_port), ND_INSUFFICIENT_RESOURCES));
    }
    ASSERT_TRUE(is(listener->Bind(as_sockaddr(any_port), sizeof any_port), ND_SUCCESS));
    ASSERT_TRUE(is(listener->Listen(0), ND_SUCCESS));
    SocketAddress address{};
    ULONG size = sizeof address;
    ASSERT_TRUE(is(listener->GetLocalAddress(as_sockaddr(address), &size), ND_SUCCESS));
    const auto connect = [&] {
        return connector->Connect(queue_pair.get(), as_sockaddr(address), sizeof address, 0, 0, nullptr, 0,
                                  request.get());
    };
    {
        const NoDescriptors none;
        EXPECT_TRUE(is(support::finish(connect(), request, connector.get()), ND_INSUFFICIENT_RESOURCES));
    }
    ASSERT_TRUE(is(adapter_->CreateConnector(IID_IND2Connector, file_, connector.out()), ND_SUCCESS));
    ASSERT_TRUE(is(connector->Bind(as_sockaddr(any_port), sizeof any_port), ND_SUCCESS));
    ASSERT_TRUE(is(connect(), ND_PENDING)) << "the same queue pair";
    EXPECT_TRUE(is(connector->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(request.wait(connector.get()), ND_CANCELED));
    connector.reset();
    listener.reset();
    queue_pair.reset();
    EXPECT_TRUE(support::settled_resources().within(before));
}

}  // namespace
}  // namespace opennd::process
