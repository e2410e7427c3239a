// SPDX-License-Identifier: MIT
// See shown_context.h.
#include "base/shown_context.h"

#include <array>
#include <atomic>

namespace opennd {
namespace {

// From the transport outwards; the first null ends them. Release and acquire: the reader is complete.
constinit std::array<std::atomic<const ContextReader*>, 2> readers{};

}  // namespace

void add_context_reader(const ContextReader& reader) noexcept {
    for (std::atomic<const ContextReader*>& each : readers) {
        const ContextReader* none = nullptr;
        if (each.compare_exchange_strong(none, &reader, std::memory_order_release)) return;
    }
}

void forget_context_readers() noexcept {
    for (std::atomic<const ContextReader*>& each : readers) each.store(nullptr, std::memory_order_relaxed);
}

const void* shown_context(const void* context) noexcept {
    for (const std::atomic<const ContextReader*>& each : readers) {
        const ContextReader* const reader = each.load(std::memory_order_acquire);
        const std::optional<const void*> given = reader ? reader->given_context(context) : std::nullopt;
        if (!given) break;
        context = *given;
    }
    return context;
}

}  // namespace opennd
