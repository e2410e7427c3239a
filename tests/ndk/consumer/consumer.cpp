// SPDX-License-Identifier: MIT
#include "ndk/consumer/consumer.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <ostream>
#include <stdexcept>

#include "support/adapter.h"

namespace opennd::ndk_test {
namespace {

template <typename Object>
Owned<Object> made(Owned<Object> object, NTSTATUS status) {
    if (status == STATUS_SUCCESS && object.get()) return object;
    throw std::runtime_error("an object cannot be made");
}

}  // namespace

std::ostream& operator<<(std::ostream& out, Hex status) {
    return out << "0x" << std::hex << static_cast<ULONG>(status.status) << std::dec;
}

void Calls::add(NTSTATUS status) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(status);
    ++count_;
    changed_.notify_all();
}

NTSTATUS Calls::next(support::milliseconds limit) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, limit, [this] { return !waiting_.empty(); })) return kNoCallback;
    const NTSTATUS status = waiting_.front();
    waiting_.pop_front();
    return status;
}

int Calls::count() const {
    const std::lock_guard lock(mutex_);
    return count_;
}

Loopback::Loopback(USHORT port) : address(support::loopback_address(port)) {}

Adapter::Adapter(NDK_VERSION version) {
    Loopback local;
    const NTSTATUS status = opennd_ndk_open_adapter_by_address(version, local.get(), local.length(), 0, &adapter_);
    if (status != STATUS_SUCCESS) throw std::runtime_error("the adapter of the tests' address cannot be opened");
}

Adapter::Adapter(NDK_VERSION version, NET_IFINDEX index) {
    if (opennd_ndk_open_adapter(version, index, 0, &adapter_) != STATUS_SUCCESS)
        throw std::runtime_error("the adapter with this index cannot be opened");
}

NDK_ADAPTER_INFO Adapter::info() const {
    NDK_ADAPTER_INFO info{};
    ULONG bytes = sizeof info;
    EXPECT_STATUS(call().NdkQueryAdapterInfo(get(), &info, &bytes), STATUS_SUCCESS);
    return info;
}

Owned<NDK_PD> Adapter::create_domain() const {
    Owned<NDK_PD> domain;
    const NTSTATUS status = call().NdkCreatePd(get(), nullptr, nullptr, domain.out());
    return made(std::move(domain), status);
}

Owned<NDK_CQ> Adapter::create_completion_queue(ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notification,
                                               PVOID context) const {
    Owned<NDK_CQ> queue;
    const NTSTATUS status =
        call().NdkCreateCq(get(), depth, notification, context, nullptr, nullptr, nullptr, queue.out());
    return made(std::move(queue), status);
}

Owned<NDK_CONNECTOR> Adapter::create_connector() const {
    Owned<NDK_CONNECTOR> connector;
    const NTSTATUS status = call().NdkCreateConnector(get(), nullptr, nullptr, connector.out());
    return made(std::move(connector), status);
}

Owned<NDK_LISTENER> Adapter::create_listener(NDK_FN_CONNECT_EVENT_CALLBACK event, PVOID context) const {
    Owned<NDK_LISTENER> listener;
    const NTSTATUS status = call().NdkCreateListener(get(), event, context, nullptr, nullptr, listener.out());
    return made(std::move(listener), status);
}

Mdl::Mdl(const void* memory, ULONG bytes, Frames frames) {
    constexpr ULONG_PTR kPage = 4096;
    const auto address = reinterpret_cast<ULONG_PTR>(memory);
    const ULONG_PTR pages = (address % kPage + bytes + kPage - 1) / kPage;
    storage_.resize(sizeof(MDL) / sizeof(ULONG_PTR) + pages);
    MDL& mdl = *get();
    mdl = {};
    mdl.StartVa = reinterpret_cast<PVOID>(address - address % kPage);
    mdl.ByteOffset = static_cast<ULONG>(address % kPage);
    mdl.ByteCount = bytes;
    if (frames == Frames::absent) return;
    mdl.MdlFlags = MDL_SOURCE_IS_NONPAGED_POOL;
    for (ULONG_PTR i = 0; i < pages; ++i) this->frames()[i] = address / kPage + i;
}

NDK_RESULT_EX next_result(NDK_CQ* queue) {
    NDK_RESULT_EX result{};
    const bool came = support::wait_until([&] { return queue->Dispatch->NdkGetCqResultsEx(queue, &result, 1) == 1; });
    if (!came) result.Status = kNoCallback;
    return result;
}

}  // namespace opennd::ndk_test
