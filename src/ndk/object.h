// SPDX-License-Identifier: MIT
// What all NDK objects have in common: how long they live. An object is used by its consumer, by each object that relies
// on it, and by each callback of it that is pending; when all of them have let go, it ends (NDK-GEN-10).
//
// A close whose caller is the last user is done when it returns. Otherwise the object ends on the callback thread: core's
// objects are released, the close completion runs, and only then does the object let go of those it relies on
// (NDK-GEN-11).
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/ref.h"
#include "ndk/callback_thread.h"
#include "ndkpi.h"

namespace opennd {

class NdkAdapter;

class NdkObject {
public:
    NdkObject(const NdkObject&) = delete;
    NdkObject& operator=(const NdkObject&) = delete;

    // Who has a use may take another, and lets each go.
    void retain() { users_.fetch_add(1, std::memory_order_relaxed); }
    void release();
    // For who has none, while the object cannot go. False: it ends already.
    bool try_retain();

    // The consumer lets go. STATUS_SUCCESS: the object is gone; STATUS_PENDING: `completion`, if there is one, will tell.
    NTSTATUS close(NDK_FN_CLOSE_COMPLETION completion, PVOID context);

    NdkAdapter& adapter() const { return *adapter_; }
    CallbackThread& callbacks() const { return *callbacks_; }
    std::string_view kind() const { return kind_; }  // "completion queue"

protected:
    // `kind`: static text. Throws nothing.
    NdkObject(NdkAdapter& adapter, std::string_view kind);
    virtual ~NdkObject();

    // The consumer has let go: gives up what is pending, so that its callbacks let go. The consumer's thread.
    virtual void give_up() {}
    // The device is gone (NDK-GEN-15); of those that NdkAdapter::tell_of_removal was called for. The callback thread, no lock
    // held. Perhaps at the same time as give_up().
    virtual void end_with_device() {}
    // Nobody uses it any more: releases core's objects. No event of theirs comes after this.
    virtual void end() = 0;

private:
    struct Ending final : Callback {
        explicit Ending(NdkObject& ended) : object(ended) {}
        void run() override;
        NdkObject& object;
    };
    friend class NdkAdapter;  // the list of what is open

    const Ref<NdkAdapter> adapter_;
    const Ref<CallbackThread> callbacks_;
    const std::string_view kind_;
    std::atomic<std::uint32_t> users_{1};  // who makes it 0 ends the object: acq_rel
    Ending ending_{*this};
    // Set by close(), before the consumer's use goes.
    NDK_FN_CLOSE_COMPLETION close_completion_ = nullptr;
    PVOID close_context_ = nullptr;
    // Neighbours in the adapter's list, guarded by its lock.
    NdkObject* previous_ = nullptr;
    NdkObject* next_ = nullptr;
    bool told_of_removal_ = false;  // likewise
};

// One use of an object, let go at the end.
template <typename T>
class Use {
public:
    Use() = default;
    explicit Use(T& object) : object_(&object) { object.retain(); }
    // For who has none, while the object cannot go: none if it ends already.
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
