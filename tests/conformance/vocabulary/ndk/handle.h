// SPDX-License-Identifier: MIT
//
// Owners of NDK objects. The adapter of an open is closed when all objects made from it are gone. Every other object is
// closed and not waited for, because objects that rely on it may outlive it (NDK-GEN-10).
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "conformance/vocabulary/ndk/request.h"
#include "ndk/consumer/consumer.h"
#include "support/status.h"

namespace opennd::conformance::ndk {

class Instance {
public:
    Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    ~Instance() { opennd_ndk_close_adapter(adapter_); }

    NDK_ADAPTER* get() const { return adapter_; }
    NDK_ADAPTER* operator->() const { return adapter_; }

private:
    NDK_ADAPTER* adapter_ = nullptr;
};

using SharedInstance = std::shared_ptr<Instance>;

// The context of the object's callbacks: gone with the close completion, after which none may come (NDK-GEN-03).
using Context = std::shared_ptr<void>;

struct Closing {
    explicit Closing(Context kept) : context(std::move(kept)) {}
    const Context context;
    const SharedRequest closed = std::make_shared<NdkRequest>();

    static VOID completed(PVOID self) {
        const std::unique_ptr<Closing> closing(static_cast<Closing*>(self));
        closing->closed->finish(Outcome::success);
    }
};

// Begins; the request ends with the close completion.
template <typename Object>
SharedRequest begin_close(Object* object, Context context) {
    auto closing = std::make_unique<Closing>(std::move(context));
    const SharedRequest closed = closing->closed;
    const NTSTATUS status = ndk_test::closer(object)(&object->Header, Closing::completed, closing.get());
    EXPECT_TRUE(status == STATUS_SUCCESS || status == STATUS_PENDING) << "NDK-GEN-03";
    if (status == STATUS_PENDING)
        closing.release();  // NOLINT(bugprone-unused-return-value): the callback's
    else
        closed->finish(Outcome::success);
    return closed;
}

template <typename Object>
class Handle {
public:
    Handle(SharedInstance instance, Object* object, Context context = nullptr)
        : instance_(std::move(instance)), object_(object), context_(std::move(context)) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { (void)begin_close(object_, std::move(context_)); }

    Object* get() const { return object_; }
    Object* operator->() const { return object_; }
    auto& call() const { return *object_->Dispatch; }

private:
    const SharedInstance instance_;  // goes last
    Object* const object_;
    Context context_;
};

// call(out) creates, at once (NDK-GEN-04).
template <typename Object, typename Call>
Object* made(const char* what, Call&& call) {
    Object* object = nullptr;
    support::require(call(&object), STATUS_SUCCESS, what);
    return object;
}

}  // namespace opennd::conformance::ndk
