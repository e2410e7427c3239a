// SPDX-License-Identifier: MIT
// The reports of a completion ring about its room.
#include "transport/completion/completion_ring.h"

#include "base/explanation.h"

namespace opennd {

void report_exceeded_depth(std::uint32_t depth) {
    (void)report(Status::overrun, {.object = "completion queue",
                                   .operation = "adding a result",
                                   .asked = "room for one more result, which is given; would overrun on hardware",
                                   .limit = phrase("{} results", depth),
                                   .remedy = "create it at least as deep as all queues of its queue pairs together",
                                   .requirement = "ND2-CQ-OVR-03"});
}

void report_overrun(std::uint32_t depth, std::string_view cause) {
    const bool judged = !cause.empty();
    (void)report(Status::overrun,
                 {.object = "completion queue",
                  .operation = "adding a result",
                  .asked = "room for one more result",
                  .limit = judged ? phrase("{}; it and the queue pairs that use it are dead", cause)
                                  : phrase("{} results; it and the queue pairs that use it are dead", depth),
                  .remedy = judged ? "see OPENND_FAULTS, or opennd_faults_set"
                                   : "create it with room for all requests of its queue pairs, or take results first",
                  .requirement = "ND2-CQ-OVR-01"});
}

}  // namespace opennd
