// SPDX-License-Identifier: MIT
// See hardware.h.
#include "library/hardware.h"

#if OPENND_VERBS
#include "transport/verbs/transport.h"
#endif

namespace opennd {

std::unique_ptr<HardwareTransport> make_hardware([[maybe_unused]] EventLoop& loop) {
#if OPENND_VERBS
    return std::make_unique<verbs::VerbsTransport>(loop);
#else
    return nullptr;
#endif
}

}  // namespace opennd
