// SPDX-License-Identifier: MIT
// A script in which a hostile peer writes into the shared segment between the steps of an honest queue pair. Read
// honest_side.h for the checks and hostile_peer.h for the peer's attacks.
#include "fuzz/segment/honest_side.h"
#include "fuzz/segment/hostile_peer.h"
#include "fuzz/segment/segment_steps.h"
#include "fuzz/world.h"

namespace opennd::fuzz {
namespace {

// Steps of a script: the bound that would cut off a hang.
constexpr int kMostSteps = 256;

void honest_step(SegmentStep step, Script& script, HonestSide& honest, HostilePeer& hostile) {
    switch (step) {
        case SegmentStep::receive: return honest.receive(script);
        case SegmentStep::send: return honest.send(script);
        case SegmentStep::read: return honest.read(script, hostile.target(script));
        case SegmentStep::write: return honest.write(script, hostile.target(script));
        case SegmentStep::bind: return honest.bind(script);
        case SegmentStep::invalidate: return hostile.leave_accesses(), honest.invalidate();
        case SegmentStep::poll: return honest.poll(1 + script.below(64));
        case SegmentStep::arm: return honest.arm(static_cast<NotifyKind>(script.below(3)));
        case SegmentStep::serve: return honest.serve();
        case SegmentStep::deregister:
            hostile.leave_accesses();
            return honest.deregister(static_cast<HonestSide::RegionName>(script.below(HonestSide::kRegions)));
        case SegmentStep::flush: return honest.flush();
        default: return;
    }
}

void hostile_step(SegmentStep step, Script& script, const HonestSide& honest, HostilePeer& hostile) {
    switch (step) {
        case SegmentStep::say: return hostile.say(script, honest);
        case SegmentStep::offer: return hostile.offer(script);
        case SegmentStep::rewrite: return hostile.rewrite(script, honest);
        case SegmentStep::acknowledge: return hostile.acknowledge(script);
        case SegmentStep::refuse: return hostile.refuse(script);
        case SegmentStep::wish: return hostile.wish(script);
        case SegmentStep::scribble: return hostile.scribble(script);
        case SegmentStep::grant: return hostile.grant(script);
        case SegmentStep::give_segment: return hostile.give_segment(script);
        case SegmentStep::misname: return hostile.misname(script);
        default: return;
    }
}

}  // namespace
}  // namespace opennd::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace opennd;
    using namespace opennd::fuzz;
    Script script({data, size});
    HostilePeer hostile(script.below(2) == 0 ? local::PeerMemory::Reach::mapping_only
                                             : local::PeerMemory::Reach::process_vm);
    HonestSide honest(shared_adapter(), hostile.channel());
    for (int i = 0; i < kMostSteps && !script.over(); ++i) {
        const auto step = static_cast<SegmentStep>(script.below(kSegmentSteps));
        honest_step(step, script, honest, hostile);
        hostile_step(step, script, honest, hostile);
    }
    return 0;
}
