// SPDX-License-Identifier: MIT
//
// A consumer's own parts in these tests: callbacks that can be waited for, MDLs, objects that are closed at the end.
// Everything goes through the public tables.
#pragma once

#include <opennd_ndk.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "support/deadline.h"
#include "support/socket_address.h"

namespace opennd::ndk_test {

using support::kDeadline;

// A failure's text shows the number, as the specification lists it.
struct Hex {
    NTSTATUS status;
    bool operator==(const Hex&) const = default;
};
std::ostream& operator<<(std::ostream& out, Hex status);
#define EXPECT_STATUS(actual, expected) \
    EXPECT_EQ((::opennd::ndk_test::Hex{actual}), (::opennd::ndk_test::Hex{expected}))
#define ASSERT_STATUS(actual, expected) \
    ASSERT_EQ((::opennd::ndk_test::Hex{actual}), (::opennd::ndk_test::Hex{expected}))

inline constexpr NTSTATUS kNoCallback = 0x7FFFFFFF;

// The callbacks of one context, in order: statuses of requests and queues, and how many closes and events.
class Calls {
public:
    static VOID request(PVOID calls, NTSTATUS status) { static_cast<Calls*>(calls)->add(status); }
    static VOID closed(PVOID calls) { static_cast<Calls*>(calls)->add(STATUS_SUCCESS); }
    static VOID event(PVOID calls) { static_cast<Calls*>(calls)->add(STATUS_SUCCESS); }
    static VOID event_with_reason(PVOID calls, ULONG reason) {
        static_cast<Calls*>(calls)->add(static_cast<NTSTATUS>(reason));
    }

    // The next one; kNoCallback if none comes in time.
    NTSTATUS next(support::milliseconds limit = kDeadline);
    // The final status of a function that `returned`: at once, or by the callback.
    NTSTATUS end(NTSTATUS returned) { return returned == STATUS_PENDING ? next() : returned; }
    int count() const;
    void add(NTSTATUS status);

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<NTSTATUS> waiting_;
    int count_ = 0;
};

// Each object's close function.
inline auto closer(NDK_PD* object) { return object->Dispatch->NdkClosePd; }
inline auto closer(NDK_CQ* object) { return object->Dispatch->NdkCloseCq; }
inline auto closer(NDK_QP* object) { return object->Dispatch->NdkCloseQp; }
inline auto closer(NDK_SRQ* object) { return object->Dispatch->NdkCloseSrq; }
inline auto closer(NDK_MR* object) { return object->Dispatch->NdkCloseMr; }
inline auto closer(NDK_MW* object) { return object->Dispatch->NdkCloseMw; }
inline auto closer(NDK_CONNECTOR* object) { return object->Dispatch->NdkCloseConnector; }
inline auto closer(NDK_LISTENER* object) { return object->Dispatch->NdkCloseListener; }
inline auto closer(NDK_SHARED_ENDPOINT* object) { return object->Dispatch->NdkCloseSharedEndpoint; }

template <typename Object>
NTSTATUS begin_close(Object* object, Calls& calls) {
    return closer(object)(&object->Header, Calls::closed, &calls);
}

// Closed at the end without being waited for, which the adapter does (NDK-CONS-80).
template <typename Object>
class Owned {
public:
    Owned() = default;
    Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Owned() {
        if (object_) (void)closer(object_)(&object_->Header, nullptr, nullptr);
    }

    Object** out() { return &object_; }
    Object* get() const { return object_; }
    Object* operator->() const { return object_; }
    Object* give_up() { return std::exchange(object_, nullptr); }

    // Closes, and waits for it.
    NTSTATUS close() {
        Calls calls;
        return calls.end(begin_close(give_up(), calls));
    }

private:
    Object* object_ = nullptr;
};

// An open adapter of the loopback interface; closes it, which waits for everything made from it.
class Adapter {
public:
    explicit Adapter(NDK_VERSION version = {2, 1});
    Adapter(NDK_VERSION version, NET_IFINDEX index);
    Adapter(const Adapter&) = delete;
    Adapter& operator=(const Adapter&) = delete;
    ~Adapter() { opennd_ndk_close_adapter(adapter_); }

    NDK_ADAPTER* get() const { return adapter_; }
    const NDK_ADAPTER_DISPATCH& call() const { return *adapter_->Dispatch; }
    NDK_ADAPTER_INFO info() const;

    Owned<NDK_PD> create_domain() const;
    Owned<NDK_CQ> create_completion_queue(ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notification = nullptr,
                                          PVOID context = nullptr) const;
    Owned<NDK_CONNECTOR> create_connector() const;
    Owned<NDK_LISTENER> create_listener(NDK_FN_CONNECT_EVENT_CALLBACK event, PVOID context) const;

private:
    NDK_ADAPTER* adapter_ = nullptr;
};

// 127.0.0.1 as an argument.
struct Loopback {
    explicit Loopback(USHORT port = 0);
    PSOCKADDR get() { return support::as_sockaddr(address); }
    ULONG length() const { return static_cast<ULONG>(address.length()); }
    SocketAddress address;
};

// A chain of one MDL over memory of this process, page numbers left out or filled in.
class Mdl {
public:
    enum class Frames { absent, filled };
    Mdl(const void* memory, ULONG bytes, Frames frames = Frames::absent);
    MDL* get() { return reinterpret_cast<MDL*>(storage_.data()); }
    ULONG_PTR* frames() { return reinterpret_cast<ULONG_PTR*>(get() + 1); }
    Mdl& followed_by(Mdl& next) {
        get()->Next = next.get();
        return *this;
    }

private:
    std::vector<ULONG_PTR> storage_;
};

inline NDK_SGE sge(const void* memory, ULONG bytes, UINT32 token) {
    NDK_SGE entry{};
    entry.VirtualAddress = const_cast<void*>(memory);
    entry.Length = bytes;
    entry.MemoryRegionToken = token;
    return entry;
}

inline PVOID tag(ULONG_PTR number) { return reinterpret_cast<PVOID>(number); }

// The next result of a polled queue; its status is kNoCallback if none comes in time.
NDK_RESULT_EX next_result(NDK_CQ* queue);

}  // namespace opennd::ndk_test
