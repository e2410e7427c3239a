// SPDX-License-Identifier: MIT
// A function of the program's with its context, kept for as long as something may call it.
#pragma once

#include <memory>
#include <utility>

#include "base/lock.h"

namespace opennd {

template <typename Function>
struct ProgramSink {
    Function function;
    void* context;
};

// Serializes changes, and owns the sink that the library points to.
template <typename Function>
class ProgramSinkOwner {
public:
    // `install(sink)` must have stopped the old one when it returns; null: there is none from now on.
    template <typename Install>
    void replace(Function function, void* context, Install&& install) {
        auto sink =
            function ? std::make_unique<ProgramSink<Function>>(ProgramSink<Function>{function, context}) : nullptr;
        const Held lock(mutex_);
        install(sink.get());
        sink_ = std::move(sink);
    }

private:
    Mutex mutex_;
    std::unique_ptr<ProgramSink<Function>> sink_ GUARDED_BY(mutex_);
};

}  // namespace opennd
