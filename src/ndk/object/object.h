// SPDX-License-Identifier: MIT
// The lifetime of all NDK objects. An object is used by its consumer, by each object that relies on it, and by each of
// its pending callbacks; when all of them have let go, it ends (NDK-GEN-10).
//
// A close by the last user is done when it returns. Otherwise the object ends on the callback thread: it releases
// core's objects, the close completion runs, and only then does the object release the ones it relies on (NDK-GEN-11).
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/ref.h"
#include "ndk/object/callback_thread.h"
#include "ndkpi.h"

namespace opennd {

class NdkAdapter;

class NdkObject {
public:
    NdkObject(const NdkObject&) = delete;
    NdkObject& operator=(const NdkObject&) = delete;

    // A user may take another use, and releases each.
    void retain() { users_.fetch_add(1, std::memory_order_relaxed); }
    void release();
    // For callers without a use, while the object cannot go. False: it ends already.
    bool try_retain();

    // The consumer releases the object. STATUS_SUCCESS: it is gone; STATUS_PENDING: `completion`, if not NULL, runs
    // when it is.
    NTSTATUS close(NDK_FN_CLOSE_COMPLETION completion, PVOID context);

    NdkAdapter& adapter() const { return *adapter_; }
    CallbackThread& callbacks() const { return *callbacks_; }
    std::string_view kind() const { return kind_; }  // "completion queue"

protected:
    // `kind`: static text. Throws nothing.
    NdkObject(NdkAdapter& adapter, std::string_view kind);
    virtual ~NdkObject();

    // The consumer has released the object: cancels pending requests, so that their callbacks end their use. The
    // consumer's thread.
    virtual void give_up() {}
    // The device is gone (NDK-GEN-15). Called for objects registered with NdkAdapter::tell_of_removal, on the callback
    // thread, with no lock held; perhaps at the same time as give_up().
    virtual void end_with_device() {}
    // The last use has ended: releases core's objects. No event of theirs comes after this.
    virtual void end() = 0;

private:
    struct EndCallback final : Callback {
        explicit EndCallback(NdkObject& ended) : object(ended) {}
        void run() override;
        NdkObject& object;
    };
    friend class NdkAdapter;  // the list of open objects

    const Ref<NdkAdapter> adapter_;
    const Ref<CallbackThread> callbacks_;
    const std::string_view kind_;
    std::atomic<std::uint32_t> users_{1};  // acq_rel: the release that makes it 0 ends the object
    EndCallback end_callback_{*this};
    // Set by close(), before the consumer's use goes.
    NDK_FN_CLOSE_COMPLETION close_completion_ = nullptr;
    PVOID close_context_ = nullptr;
    // Neighbours in the adapter's list, guarded by its lock.
    NdkObject* previous_ = nullptr;
    NdkObject* next_ = nullptr;
    bool told_of_removal_ = false;  // likewise
};

// One use of an object, released at the end.
template <typename T>
class Use {
public:
    Use() = default;
    explicit Use(T& object) : object_(&object) { object.retain(); }
    // For callers without a use, while the object cannot go: none if it ends already.
    static Use attempt(T& object) {
        Use use;
        if (object.try_retain()) use.object_ = &object;
        return use;
    }
    Use(Use&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Use& operator=(Use other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Use() {
        if (object_) object_->release();
    }

    T* get() const { return object_; }
    T* operator->() const { return object_; }
    T& operator*() const { return *object_; }
    explicit operator bool() const { return object_ != nullptr; }

private:
    T* object_ = nullptr;
};

}  // namespace opennd
