// SPDX-License-Identifier: MIT
// See adapter.h.
#include "ndk/object/adapter.h"

#include <chrono>
#include <utility>

#include "base/explanation.h"
#include "ndk/call/process_dispatch.h"
#include "ndk/call/refusal.h"
#include "ndk/device/adapter_info.h"
#include "ndk/device/device.h"

namespace opennd {
namespace {

// A close that waits logs the objects still open, and again each time it has waited kNextNaming times longer
// (NDK-GEN-16).
constexpr int kNextNaming = 6;  // times as long

}  // namespace

Result<Ref<NdkAdapter>> NdkAdapter::open(AdapterCatalog& catalog, NDK_VERSION version, DeviceState& state,
                                         const Interface& device, const NdkSettings& settings, AdapterKinds kinds) {
    Result<Ref<Adapter>> core = open_core(catalog, device, settings.configured, kinds);
    if (!core.ok()) return core.status();
    Ref<CallbackThread> callbacks = make_ref<CallbackThread>();
    Ref<NdkAdapter> adapter(new NdkAdapter(catalog, version, state, core.take(), callbacks, settings));
    if (!state.enter(*adapter)) return Status::device_removed;
    if (const Status status = callbacks->start(); !ok(status)) {
        state.leave(*adapter);
        return status;
    }
    return adapter;
}

NdkAdapter::NdkAdapter(AdapterCatalog& catalog, NDK_VERSION version, DeviceState& device, Ref<Adapter> core,
                       Ref<CallbackThread> callbacks, const NdkSettings& settings)
    : NDK_ADAPTER{{version, NdkObjectTypeAdapter, {}}, &dispatch().adapter},
      catalog_(catalog),
      device_(device),
      core_(std::move(core)),
      callbacks_(std::move(callbacks)),
      info_(adapter_info(core_->limits(), core_->traits(), version)),
      settings_(settings) {}

NTSTATUS NdkAdapter::query(NDK_ADAPTER_INFO* info, ULONG* bytes) const {
    constexpr NdkCall call{"adapter", "NdkQueryAdapterInfo"};
    if (bytes == nullptr) return refuse_null(call, "pBufferSize");
    const ULONG room = info ? *bytes : 0;
    if (NdkAdapterInfoSizes::give(info_, info, room, *bytes)) return STATUS_SUCCESS;
    return refuse_room(call, room, *bytes, "NDK-ADP-INFO-01");
}

void NdkAdapter::add(NdkObject& object) {
    const Held lock(mutex_);
    object.next_ = objects_;
    if (objects_) objects_->previous_ = &object;
    objects_ = &object;
}

void NdkAdapter::remove(NdkObject& object) {
    const Held lock(mutex_);
    (object.previous_ ? object.previous_->next_ : objects_) = object.next_;
    if (object.next_) object.next_->previous_ = object.previous_;
    if (objects_ == nullptr) changed_.notify_all();
}

void NdkAdapter::name_survivors() const {
    for (const NdkObject* object = objects_; object; object = object->next_)
        (void)report(Status::invalid_state,
                     {.object = "adapter",
                      .operation = "closing",
                      .asked = phrase("the end of a {} at {}", object->kind(), static_cast<const void*>(object)),
                      .limit = "everything that was made from the adapter is closed first",
                      .remedy = "close it, or the objects that rely on it",
                      .requirement = "NDK-GEN-16"});
}

void NdkAdapter::close() {
    {
        const Held lock(mutex_);
        SteadyTime naming = now() + settings_.naming;
        while (objects_) {
            if (changed_.wait_until(mutex_, naming) || objects_ == nullptr) continue;
            name_survivors();
            naming = now() + kNextNaming * settings_.naming;
        }
    }
    callbacks_->stop();
    device_.leave(*this);
    end_grace();  // which may have begun since
}

// ---- the device is disabled -----------------------------------------------------------------------------------------

void NdkAdapter::begin_grace() {
    const SteadyTime end = now() + settings_.grace;
    {
        const Held lock(mutex_);
        if (removed()) return;
        grace_end_ = end;
    }
    callbacks_->set(grace_, end);
}

void NdkAdapter::end_grace() {
    {
        const Held lock(mutex_);
        grace_end_.reset();
    }
    (void)callbacks_->cancel(grace_);  // if it expires just now, it finds nothing to be due
}

void NdkAdapter::tell_of_removal(NdkObject& object) {
    const Held lock(mutex_);
    object.told_of_removal_ = true;
}

// `last` is still in the list. Newer objects stand before it and have found removed_ set.
Use<NdkObject> NdkAdapter::next_to_end(const NdkObject* last) {
    const Held lock(mutex_);
    for (NdkObject* object = last ? last->next_ : objects_; object; object = object->next_) {
        if (!object->told_of_removal_) continue;
        if (Use<NdkObject> use = Use<NdkObject>::attempt(*object)) return use;
    }
    return {};
}

void NdkAdapter::remove_if_due() {
    {
        const Held lock(mutex_);
        if (!grace_end_ || now() < *grace_end_) return;
        removed_.store(true, std::memory_order_release);
    }
    (void)report(Status::device_removed,
                 {.object = "adapter",
                  .operation = "the disabling of its interface",
                  .asked = "an instance that is still open",
                  .limit = phrase("{} ms from the disabling on (OPENND_NDK_GRACE_MS)", settings_.grace.count()),
                  .remedy = "close it in time; opennd_ndk_register_adapter_events tells when",
                  .requirement = "NDK-GEN-15"});
    for (Use<NdkObject> each = next_to_end(nullptr); each;) {
        each->end_with_device();
        Use<NdkObject> next = next_to_end(each.get());
        each = std::move(next);
    }
}

}  // namespace opennd
