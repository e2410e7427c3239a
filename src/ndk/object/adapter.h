// SPDX-License-Identifier: MIT
// NDK_ADAPTER: one open of a device (NDK-HOST-04), with its callback thread and the list of its open objects.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/fork_step.h"
#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "core/adapter/adapter.h"
#include "core/adapter/adapter_catalog.h"
#include "model/address.h"
#include "ndk/call/process_dispatch.h"
#include "ndk/call/refusal.h"
#include "ndk/device/device.h"
#include "ndk/object/callback_thread.h"
#include "ndk/object/device_state.h"
#include "ndk/object/object.h"
#include "ndkpi.h"
#include "platform/process/clock.h"
#include "platform/thread/condition.h"

namespace opennd {

class NdkAdapter final : public NDK_ADAPTER, public RefCounted, public DeviceInstance {
public:
    // `version` as negotiated; `state` is the device's, and outlives it; the adapter keeps `settings`. The reference is the
    // consumer's.
    // Statuses as AdapterCatalog::open; insufficient_resources: no thread; device_removed: the device is disabled.
    static Result<Ref<NdkAdapter>> open(AdapterCatalog& catalog, NDK_VERSION version, DeviceState& state,
                                        const Interface& device, const NdkSettings& settings, AdapterKinds kinds);
    static NdkAdapter& of(NDK_ADAPTER* adapter) { return static_cast<NdkAdapter&>(*adapter); }

    // Returns when nothing made from it is left and no callback runs any more (NDK-HOST-06). Not from a callback.
    void close() EXCLUDES(mutex_);

    NTSTATUS query(NDK_ADAPTER_INFO* info, ULONG* bytes) const;

    NDK_VERSION version() const { return Header.Version; }
    // A parent process opened it, and this one has inherited it (NDK-GEN-18).
    bool is_inherited() const { return generation_ != process_generation(); }
    std::uint32_t device() const { return device_.index(); }  // the interface's index
    CallbackThread& callbacks() const { return *callbacks_; }
    const NDK_ADAPTER_INFO& info() const { return info_; }
    const NdkSettings& settings() const { return settings_; }

    // The instance's open of the device, where completion queues and connections belong.
    const Ref<Adapter>& core() const { return core_; }
    // The device has the address now; the unspecified one is none.
    bool has(const Address& local) const { return core_->own_address(local).has_value(); }
    // A new open of the device: a protection domain.
    Result<Ref<Adapter>> open_domain() { return catalog_.open_another(*core_); }

    // The device was disabled, and this instance not closed in time: it stays open, and refuses all new work
    // (NDK-GEN-15).
    bool removed() const { return removed_.load(std::memory_order_acquire); }
    // From here on a removal ends the object, which is complete.
    void tell_of_removal(NdkObject& object) EXCLUDES(mutex_);
    void begin_grace() override EXCLUDES(mutex_);
    void end_grace() override EXCLUDES(mutex_);

    NDK_OBJECT_HEADER header(NDK_OBJECT_TYPE type) const { return {version(), type, {}}; }

private:
    friend class NdkObject;  // enters itself into the list
    struct Grace final : CallbackTimer {
        explicit Grace(NdkAdapter& of) : adapter(of) {}
        void expire() override { adapter.remove_if_due(); }
        NdkAdapter& adapter;
    };
    NdkAdapter(AdapterCatalog& catalog, NDK_VERSION version, DeviceState& device, Ref<Adapter> core,
               Ref<CallbackThread> callbacks, const NdkSettings& settings);

    void add(NdkObject& object) EXCLUDES(mutex_);
    void remove(NdkObject& object) EXCLUDES(mutex_);
    void name_survivors() const REQUIRES(mutex_);
    void remove_if_due() EXCLUDES(mutex_);
    Use<NdkObject> next_to_end(const NdkObject* last) EXCLUDES(mutex_);

    // Constant after construction.
    const unsigned generation_ = process_generation();
    AdapterCatalog& catalog_;
    DeviceState& device_;
    const Ref<Adapter> core_;
    const Ref<CallbackThread> callbacks_;
    const NDK_ADAPTER_INFO info_;
    const NdkSettings settings_;

    mutable Mutex mutex_;                              // nothing is called under it
    NdkObject* objects_ GUARDED_BY(mutex_) = nullptr;  // newest first; not owned
    Condition changed_;
    std::optional<SteadyTime> grace_end_ GUARDED_BY(mutex_);
    std::atomic<bool> removed_{false};  // written under mutex_; release orders the removal's earlier stores before it
    Grace grace_{*this};
};

// The face of an object that a consumer passes; null: it is NULL, or of another type (NDK-GEN-07).
template <typename Face, typename Seen>
Face* face_of(Seen* object) {
    if (object == nullptr || object->Header.ObjectType != Face::kType) return nullptr;
    return static_cast<Face*>(object);
}

// Does as face_of(); null also for an object of another device than `adapter`'s (NDK-QP-CREATE-03).
template <typename Face, typename Seen>
Face* face_on(Seen* object, const NdkAdapter& adapter) {
    Face* const face = face_of<Face>(object);
    return face && face->adapter().device() == adapter.device() ? face : nullptr;
}

// Creates by `make`, which returns the new face; gives it out, or NULL (NDK-GEN-02). Creation is synchronous
// (NDK-GEN-04), and refused where `adapter` is removed (NDK-GEN-15).
template <typename Seen, typename Make>
NTSTATUS create_at_face(const NdkCall& call, const NdkAdapter& adapter, Seen** out, Make&& make) noexcept {
    if (out == nullptr) return refuse_null(call, "the address of the new object");
    *out = nullptr;
    if (adapter.removed()) return refuse_removed(call);
    return at_kernel_face(call, [&]() -> NTSTATUS { return make(out); });
}

}  // namespace opennd
