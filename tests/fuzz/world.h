// SPDX-License-Identifier: MIT
// Shared by all runs of a fuzzer: one adapter with its service thread, and a count of the explained failures.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "platform/thread/event_loop.h"
#include "transport/soft/adapter.h"

namespace opennd::fuzz {

Ref<soft::SoftAdapter> shared_adapter();
// An address of this host that nobody listens at.
Address loopback_address();
// How often this process said why something failed (base/explanation.h).
std::uint64_t failures_reported();

// While it lives the service thread has no turn, so that events depend on the script alone. Timers run after.
class StillService {
public:
    StillService();
    ~StillService();
    StillService(const StillService&) = delete;
    StillService& operator=(const StillService&) = delete;

private:
    enum class Turn : std::uint8_t { asked, held, over };
    const std::shared_ptr<std::atomic<Turn>> turn_ = std::make_shared<std::atomic<Turn>>(Turn::asked);
};

}  // namespace opennd::fuzz
