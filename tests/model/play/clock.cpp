// SPDX-License-Identifier: MIT
#include "model/play/clock.h"

#include "support/deadline.h"

namespace opennd::modeled {

std::int64_t now_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

std::chrono::milliseconds patience() { return support::kDeadline; }

}  // namespace opennd::modeled
