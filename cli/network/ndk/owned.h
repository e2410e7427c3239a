// SPDX-License-Identifier: MIT
//
// Owned: an NDK object that is closed at the end. Nobody waits for that but the adapter, which waits for all that was made
// from it; who has callbacks uses close_and_wait().
#pragma once

#include <opennd_ndk.h>

#include <condition_variable>
#include <mutex>
#include <utility>

namespace nd {

inline NDK_FN_CLOSE_OBJECT close_function(const NDK_PD& object) { return object.Dispatch->NdkClosePd; }
inline NDK_FN_CLOSE_OBJECT close_function(const NDK_CQ& object) { return object.Dispatch->NdkCloseCq; }
inline NDK_FN_CLOSE_OBJECT close_function(const NDK_QP& object) { return object.Dispatch->NdkCloseQp; }
inline NDK_FN_CLOSE_OBJECT close_function(const NDK_MR& object) { return object.Dispatch->NdkCloseMr; }
inline NDK_FN_CLOSE_OBJECT close_function(const NDK_CONNECTOR& object) { return object.Dispatch->NdkCloseConnector; }
inline NDK_FN_CLOSE_OBJECT close_function(const NDK_LISTENER& object) { return object.Dispatch->NdkCloseListener; }

// The end of one close.
class NdkClose {
public:
    static VOID completed(PVOID close) { static_cast<NdkClose*>(close)->finish(); }

    void finish() {
        const std::lock_guard lock(mutex_);
        finished_ = true;
        changed_.notify_all();
    }
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return finished_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool finished_ = false;
};

template <typename Object>
class Owned {
public:
    Owned() = default;
    explicit Owned(Object* object) : object_(object) {}
    Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Owned() {
        if (object_ != nullptr) (void)close_function (*object_)(&object_->Header, nullptr, nullptr);
    }

    Object* get() const { return object_; }
    Object* operator->() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }

    // For the output parameter of a function that makes one; there is none yet.
    Object** put() { return &object_; }

    // `end` outlives the close; wait for it.
    void begin_close(NdkClose& end) {
        Object* const closed = std::exchange(object_, nullptr);
        if (closed == nullptr || close_function(*closed)(&closed->Header, NdkClose::completed, &end) != STATUS_PENDING)
            end.finish();
    }

    // When it returns, no callback of the object runs, and none will.
    void close_and_wait() {
        NdkClose end;
        begin_close(end);
        end.wait();
    }

private:
    Object* object_ = nullptr;
};

}  // namespace nd
