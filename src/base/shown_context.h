// SPDX-License-Identifier: MIT
// The contexts of requests in texts for people. A layer around the transport posts requests with something of its own in place of the
// program's context, and puts that back into the completion. Texts that are made below it ask here.
#pragma once

#include <atomic>

namespace opennd {

class ContextReader {
public:
    // Answers the context that the layer was given for the outstanding request that it posted with `own`. Any thread, also with locks of
    // a queue pair held.
    virtual const void* given_context(const void* own) const noexcept = 0;

protected:
    ~ContextReader() = default;
};

namespace internal {
// Acquire and release: the reader is complete. It is never destroyed.
inline constinit std::atomic<const ContextReader*> context_reader{nullptr};
}  // namespace internal

// The process has one reader; null: requests carry the program's contexts. A child of fork begins with null.
inline void set_context_reader(const ContextReader* reader) noexcept {
    internal::context_reader.store(reader, std::memory_order_release);
}

// The program's context of an outstanding request. Any thread.
inline const void* shown_context(const void* context) noexcept {
    const ContextReader* const reader = internal::context_reader.load(std::memory_order_acquire);
    return reader ? reader->given_context(context) : context;
}

}  // namespace opennd
