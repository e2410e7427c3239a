// SPDX-License-Identifier: MIT
// The contexts of requests in texts for people. A layer around the transport posts requests with something of its own in place of the
// program's context, and puts that back into the completion. Texts that are made below it ask here.
#pragma once

#include <optional>

namespace opennd {

class ContextReader {
public:
    // The context that the layer was given for the outstanding request that it posted with `own`; nothing: it has none such. Any
    // thread, also with locks of a queue pair held.
    virtual std::optional<const void*> given_context(const void* own) const noexcept = 0;

protected:
    ~ContextReader() = default;
};

// From here on. `reader` is never destroyed, and stands around those that were added before. Two at most.
void add_context_reader(const ContextReader& reader) noexcept;
// In a child of fork, which adds its own.
void forget_context_readers() noexcept;

// The program's context of an outstanding request. Any thread.
const void* shown_context(const void* context) noexcept;

}  // namespace opennd
