// SPDX-License-Identifier: MIT
//
// Translation between the vocabulary and NDKPI. Nothing here decides anything.
#include "conformance/vocabulary/ndk/objects.h"

#include <stdexcept>

namespace opennd::conformance::ndk {
namespace {

PVOID context_of(Tag tag) { return reinterpret_cast<PVOID>(tag); }

std::vector<NDK_SGE> sges_of(SgeList sges) {
    std::vector<NDK_SGE> list;
    for (const Sge& sge : sges) list.push_back(ndk_test::sge(sge.buffer, sge.length_bytes, sge.token));
    return list;
}

ULONG count_of(const std::vector<NDK_SGE>& list) { return static_cast<ULONG>(list.size()); }

ULONG flags_of(unsigned flags) {
    ULONG bits = 0;
    if (flags & kSilent) bits |= NDK_OP_FLAG_SILENT_SUCCESS;
    if (flags & kReadFence) bits |= NDK_OP_FLAG_READ_FENCE;
    if (flags & kSolicit) bits |= NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT;
    if (flags & kInline) bits |= NDK_OP_FLAG_INLINE;
    if (flags & kAllowRead) bits |= NDK_OP_FLAG_ALLOW_REMOTE_READ;
    if (flags & kAllowWrite) bits |= NDK_OP_FLAG_ALLOW_REMOTE_WRITE;
    return bits;
}

ULONG rights_of(unsigned rights) {
    ULONG bits = NDK_MR_FLAG_ALLOW_LOCAL_READ;
    if (rights & kLocalWrite) bits |= NDK_MR_FLAG_ALLOW_LOCAL_WRITE;
    if (rights & kRemoteRead) bits |= NDK_MR_FLAG_ALLOW_REMOTE_READ;
    if (rights & kRemoteWrite) bits |= NDK_MR_FLAG_ALLOW_REMOTE_WRITE;
    if (rights & kReadSink) bits |= NDK_MR_FLAG_RDMA_READ_SINK;
    return bits;
}

ULONG type_of(NotifyType type) {
    switch (type) {
        case NotifyType::errors: return NDK_CQ_NOTIFY_ERRORS;
        case NotifyType::any: return NDK_CQ_NOTIFY_ANY;
        case NotifyType::solicited: return NDK_CQ_NOTIFY_SOLICITED;
    }
    return NDK_CQ_NOTIFY_ANY;
}

RequestKind kind_of(NDK_OPERATION_TYPE type) {
    switch (type) {
        case NdkOperationTypeReceive:
        case NdkOperationTypeReceiveAndInvalidate: return RequestKind::receive;
        case NdkOperationTypeSend: return RequestKind::send;
        case NdkOperationTypeBind: return RequestKind::bind;
        case NdkOperationTypeInvalidate: return RequestKind::invalidate;
        case NdkOperationTypeRead: return RequestKind::read;
        case NdkOperationTypeWrite: return RequestKind::write;
        case NdkOperationTypeFastRegister: break;  // the vocabulary has none
    }
    ADD_FAILURE() << "a result of unknown type " << static_cast<int>(type);
    return RequestKind::receive;
}

// Rules for every result (NDK-CQ-POLL-04 to -06).
void check(const NDK_RESULT_EX& result) {
    const bool quiet = result.Status == STATUS_SUCCESS || result.Status == STATUS_CANCELLED;
    EXPECT_TRUE(result.ProviderErrorCode == 0 || !quiet) << "NDK-CQ-POLL-05";
    EXPECT_TRUE(result.BytesTransferred == 0 || (result.Type & NdkOperationTypeReceive) != 0) << "NDK-CQ-POLL-04";
    EXPECT_TRUE((result.TypeSpecificCompletionOutput != 0) == (result.Type == NdkOperationTypeReceiveAndInvalidate))
        << "NDK-CQ-POLL-06";
}

}  // namespace

SharedRequest Waiters::add(NotifyType type) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({type, std::make_shared<NdkRequest>()});
    return waiting_.back().request;
}

bool Waiters::finish(NTSTATUS status) {
    const std::lock_guard lock(mutex_);
    const auto meant = [&](const Waiter& waiter) {
        return status != STATUS_SUCCESS || waiter.type != NotifyType::errors;
    };
    for (const Waiter& waiter : waiting_)
        if (meant(waiter)) waiter.request->finish(event_of(status));
    std::erase_if(waiting_, meant);
    return !waiting_.empty();
}

void Waiters::give_up() {
    const std::lock_guard lock(mutex_);
    for (const Waiter& waiter : waiting_) waiter.request->finish(Outcome::canceled);
    waiting_.clear();
}

NdkCompletionQueue::NdkCompletionQueue(SharedInstance instance, ULONG depth)
    : handle_(instance,
              made<NDK_CQ>("NdkCreateCq",
                           [&](NDK_CQ** out) {
                               NDK_ADAPTER* const adapter = instance->get();
                               return adapter->Dispatch->NdkCreateCq(adapter, depth, &on_event, state_.get(), nullptr,
                                                                     nullptr, nullptr, out);
                           }),
              state_) {
    state_->object = handle_.get();
}

// An arm is over with its callback; a waiter for errors arms again.
VOID NdkCompletionQueue::on_event(PVOID context, NTSTATUS status) {
    auto& state = *static_cast<State*>(context);
    if (!state.waiters.finish(status)) return;
    const std::lock_guard lock(state.calls);
    state.object->Dispatch->NdkArmCq(state.object, NDK_CQ_NOTIFY_ERRORS);
}

std::vector<Completion> NdkCompletionQueue::poll(std::size_t most) {
    std::vector<NDK_RESULT_EX> results(most);
    ULONG count = 0;
    {
        const std::lock_guard lock(state_->calls);
        count = handle_.call().NdkGetCqResultsEx(handle_.get(), results.data(), static_cast<ULONG>(most));
    }
    EXPECT_LE(count, most) << "NDK-CQ-POLL-01";
    std::vector<Completion> completions;
    for (ULONG i = 0; i < count && i < most; ++i) {
        check(results[i]);
        const RequestKind kind = kind_of(results[i].Type);
        completions.push_back({result_of(kind, results[i].Status), results[i].BytesTransferred,
                               reinterpret_cast<Tag>(results[i].QPContext),
                               reinterpret_cast<Tag>(results[i].RequestContext), kind});
    }
    return completions;
}

Operation NdkCompletionQueue::notify(NotifyType type) {
    const std::lock_guard lock(state_->calls);
    SharedRequest request = state_->waiters.add(type);
    handle_.call().NdkArmCq(handle_.get(), type_of(type));
    return Operation(Outcome::pending, std::move(request));
}

Outcome NdkCompletionQueue::resize(std::uint32_t depth) {
    return begin([&](auto done, PVOID context) {
               return handle_.call().NdkResizeCq(handle_.get(), depth, done, context);
           })
        .wait();
}

NdkSharedReceiveQueue::NdkSharedReceiveQueue(SharedInstance instance, NDK_PD* domain,
                                             const SharedReceiveQueueOptions& options)
    : handle_(std::move(instance),
              made<NDK_SRQ>("NdkCreateSrq",
                            [&](NDK_SRQ** out) {
                                return domain->Dispatch->NdkCreateSrq(domain, options.depth, options.sge,
                                                                      options.threshold, &on_event, waiters_.get(),
                                                                      nullptr, nullptr, nullptr, out);
                            }),
              waiters_),
      threshold_(options.threshold) {}

Outcome NdkSharedReceiveQueue::receive(Tag tag, SgeList sges) {
    const auto list = sges_of(sges);
    const std::lock_guard lock(posts_);
    return outcome_of(handle_.call().NdkSrqReceive(handle_.get(), context_of(tag), list.data(), count_of(list)));
}

// The queue is armed with its threshold (NDK-SRQ-01).
Operation NdkSharedReceiveQueue::notify() {
    if (threshold_ == 0) throw std::logic_error("without a threshold there is nothing to arm");
    SharedRequest request = waiters_->add(NotifyType::any);
    const Outcome armed = modify(0, threshold_);
    if (armed != Outcome::success) return Operation(armed);
    return Operation(Outcome::pending, std::move(request));
}

Outcome NdkSharedReceiveQueue::modify(std::uint32_t depth, std::uint32_t threshold) {
    const std::lock_guard lock(posts_);
    const Outcome outcome = begin([&](auto done, PVOID context) {
                                return handle_.call().NdkModifySrq(handle_.get(), depth, threshold, done, context);
                            }).wait();
    if (outcome == Outcome::success && threshold != 0) threshold_ = threshold;
    return outcome;
}

NdkMemoryRegion::NdkMemoryRegion(SharedInstance instance, NDK_PD* domain)
    : handle_(std::move(instance), made<NDK_MR>("NdkCreateMr", [&](NDK_MR** out) {
                  return domain->Dispatch->NdkCreateMr(domain, FALSE, nullptr, nullptr, out);
              })) {}

Operation NdkMemoryRegion::enroll(const void* memory, std::size_t bytes, unsigned rights) {
    ndk_test::Mdl mdl(memory, static_cast<ULONG>(bytes));
    return begin([&](auto done, PVOID context) {
        return handle_.call().NdkRegisterMr(handle_.get(), mdl.get(), bytes, rights_of(rights), done, context);
    });
}

// Two reasons have other names here.
Operation NdkMemoryRegion::withdraw() {
    Operation withdrawn =
        begin([&](auto done, PVOID context) { return handle_.call().NdkDeregisterMr(handle_.get(), done, context); });
    if (withdrawn.begun() == Outcome::invalid_state) return Operation(Outcome::device_busy);
    if (withdrawn.begun() == Outcome::invalid_request) return Operation(Outcome::invalid_state);
    return withdrawn;
}

NdkMemoryWindow::NdkMemoryWindow(SharedInstance instance, NDK_PD* domain)
    : handle_(std::move(instance), made<NDK_MW>("NdkCreateMw", [&](NDK_MW** out) {
                  return domain->Dispatch->NdkCreateMw(domain, nullptr, nullptr, out);
              })) {}

Outcome NdkQueuePair::send(Tag tag, SgeList sges, unsigned flags) {
    const auto list = sges_of(sges);
    const std::lock_guard lock(initiators_);
    return outcome_of(
        handle_.call().NdkSend(handle_.get(), context_of(tag), list.data(), count_of(list), flags_of(flags)));
}

Outcome NdkQueuePair::receive(Tag tag, SgeList sges) {
    const auto list = sges_of(sges);
    const std::lock_guard lock(receives_);
    return outcome_of(handle_.call().NdkReceive(handle_.get(), context_of(tag), list.data(), count_of(list)));
}

Outcome NdkQueuePair::read(Tag tag, SgeList sges, Remote from, unsigned flags) {
    const auto list = sges_of(sges);
    const std::lock_guard lock(initiators_);
    return outcome_of(handle_.call().NdkRead(handle_.get(), context_of(tag), list.data(), count_of(list), from.address,
                                             from.token, flags_of(flags)));
}

Outcome NdkQueuePair::write(Tag tag, SgeList sges, Remote to, unsigned flags) {
    const auto list = sges_of(sges);
    const std::lock_guard lock(initiators_);
    return outcome_of(handle_.call().NdkWrite(handle_.get(), context_of(tag), list.data(), count_of(list), to.address,
                                              to.token, flags_of(flags)));
}

Outcome NdkQueuePair::bind(Tag tag, MemoryRegion& region, MemoryWindow& window, const void* memory, std::size_t bytes,
                           unsigned flags) {
    const std::lock_guard lock(initiators_);
    return outcome_of(handle_.call().NdkBind(
        handle_.get(), context_of(tag), dynamic_cast<NdkMemoryRegion&>(region).get(),
        dynamic_cast<NdkMemoryWindow&>(window).get(), const_cast<PVOID>(memory), bytes, flags_of(flags)));
}

Outcome NdkQueuePair::invalidate(Tag tag, MemoryWindow& window, unsigned flags) {
    const std::lock_guard lock(initiators_);
    return outcome_of(handle_.call().NdkInvalidate(
        handle_.get(), context_of(tag), &dynamic_cast<NdkMemoryWindow&>(window).get()->Header, flags_of(flags)));
}

Outcome NdkQueuePair::flush() {
    handle_.call().NdkFlush(handle_.get());
    return Outcome::success;
}

}  // namespace opennd::conformance::ndk
