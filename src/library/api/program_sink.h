// SPDX-License-Identifier: MIT
// A function of the program's with its context, kept for as long as something may call it.
#pragma once

#include <memory>
#include <utility>

#include "base/fork_step.h"
#include "base/lock.h"

namespace opennd {

template <typename Function>
struct ProgramSink {
    Function function;
    void* context;
};

// Serializes changes, and owns the sink that the library points to. Of static storage, listed (ForkStep), and never destroyed: threads may
// tell something while the process exits.
template <typename Function>
class ProgramSinkOwner final : public ForkStep {
public:
    constexpr ProgramSinkOwner() = default;

    // `install(sink)` must have stopped the old one when it returns; null: there is none from now on.
    template <typename Install>
    void replace(Function function, void* context, Install&& install) {
        auto sink =
            function ? std::make_unique<ProgramSink<Function>>(ProgramSink<Function>{function, context}) : nullptr;
        const Held lock(mutex_);
        install(sink.get());
        sink.reset(std::exchange(sink_, sink.release()));
    }

private:
    // A thread of the parent may have been waiting for its old sink to return.
    void begin_child() noexcept override { forget_holder(mutex_); }

    Mutex mutex_;
    ProgramSink<Function>* sink_ GUARDED_BY(mutex_) = nullptr;
};

}  // namespace opennd
