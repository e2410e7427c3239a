// SPDX-License-Identifier: MIT
// See shared_receive_queue.h. Receive is the data path.
#include "spi/nd2/queue/shared_receive_queue.h"

#include "platform/host/host.h"
#include "spi/explanation.h"
#include "spi/nd2/call/argument.h"
#include "spi/status_meaning.h"

namespace opennd {
namespace {

constexpr std::string_view kSharedReceiveQueue = "shared receive queue";

}  // namespace

HRESULT Nd2SharedReceiveQueue::Receive(VOID* context, const ND2_SGE sges[], ULONG count) noexcept {
    if (sges == nullptr && count != 0) [[unlikely]]
        return refuse_null(ND_INVALID_PARAMETER_2, {kSharedReceiveQueue, "Receive"}, "sge");
    if (count > Nd2SgeList::kMaxEntries) [[unlikely]]
        return to_hresult(core_->refuse_sges(count));
    const Nd2SgeList list(sges, count);
    return at_face([&] { return to_hresult(core_->post(context, list.entries(count))); });
}

HRESULT Nd2SharedReceiveQueue::Notify(OVERLAPPED* overlapped) noexcept {
    return begin(overlapped, [&](std::unique_ptr<AsyncRequest> request) { return core_->notify(std::move(request)); });
}

HRESULT Nd2SharedReceiveQueue::Modify(ULONG depth, ULONG threshold) noexcept {
    return at_face([&] { return to_hresult(core_->modify(depth, threshold)); });
}

// All usable processors, for any affinity of the program: any thread that makes progress delivers events (ND2-SRQ-AFF-01).
HRESULT Nd2SharedReceiveQueue::GetNotifyAffinity(USHORT* group, KAFFINITY* affinity) noexcept {
    if (group == nullptr || affinity == nullptr)
        return refuse_null(ND_INVALID_PARAMETER, {kSharedReceiveQueue, "GetNotifyAffinity"}, "pGroup or pAffinity");
    *group = 0;
    *affinity = usable_processors();
    return ND_SUCCESS;
}

}  // namespace opennd
