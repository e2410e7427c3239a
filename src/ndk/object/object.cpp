// SPDX-License-Identifier: MIT
// See object.h.
#include "ndk/object/object.h"

#include "base/checker.h"
#include "ndk/object/adapter.h"

namespace opennd {

NdkObject::NdkObject(NdkAdapter& adapter, std::string_view kind)
    : adapter_(&adapter), callbacks_(&adapter.callbacks()), kind_(kind) {
    adapter.add(*this);
    if (Checker* const checks = checker()) checks->made(this, kind);
}

// The members of the object itself are gone, and with them its uses of others.
NdkObject::~NdkObject() {
    adapter_->remove(*this);
    if (Checker* const checks = checker()) checks->released(this);  // one that could not be made whole
}

void NdkObject::release() {
    const Ref<CallbackThread> callbacks = callbacks_;  // without a use left, the object may be gone at any time
    if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) callbacks->schedule(end_callback_);
}

bool NdkObject::try_retain() {
    std::uint32_t users = users_.load(std::memory_order_relaxed);
    while (users != 0)
        if (users_.compare_exchange_weak(users, users + 1, std::memory_order_relaxed)) return true;
    return false;
}

NTSTATUS NdkObject::close(NDK_FN_CLOSE_COMPLETION completion, PVOID context) {
    close_completion_ = completion;
    close_context_ = context;
    if (Checker* const checks = checker()) checks->released(this);
    give_up();
    if (users_.fetch_sub(1, std::memory_order_acq_rel) != 1) return STATUS_PENDING;
    end();
    delete this;
    return STATUS_SUCCESS;
}

void NdkObject::EndCallback::run() {
    object.end();
    if (object.close_completion_) object.close_completion_(object.close_context_);
    delete &object;
}

}  // namespace opennd
