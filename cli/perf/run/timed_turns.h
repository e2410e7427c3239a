// SPDX-License-Identifier: MIT
//
// The client's part that all latency tests share: warm up, take turns, keep the times. A Game has turn(), stop() and
// verified(); everything is inlined into the test that uses it.
#pragma once

#include "perf/measure/measurement.h"
#include "perf/measure/run_pace.h"
#include "perf/plan/batch_size.h"
#include "perf/plan/point_plan.h"

namespace nd {

template <bool kSample, typename Game>
void take_turns(Game& game, RunPace& pace, LatencySamples& samples) {
    if constexpr (kSample) samples.start();
    while (std::uint64_t batch = pace.next_batch()) {
        for (; batch > 0; batch--) {
            game.turn();
            if constexpr (kSample) samples.add();
        }
    }
    pace.finish();
}

template <typename Game>
Measurement measure_turns(Game& game, const PointPlan& plan, ProgressBar* bar) {
    LatencySamples samples(plan.sample != 0);
    RunPace warmup = RunPace::warm_up(plan.warmup, latency_batch(plan), bar);
    if (plan.warmup != 0) take_turns<false>(game, warmup, samples);

    RunPace pace(plan.iterations, plan.duration_ms, latency_batch(plan), bar);
    const ContextSwitches before = ContextSwitches::so_far();
    if (plan.sample != 0)
        take_turns<true>(game, pace, samples);
    else
        take_turns<false>(game, pace, samples);

    Measurement measured = pace.measured();
    measured.switches = ContextSwitches::so_far() - before;
    game.stop();
    measured.verified = game.verified();
    measured.latency = samples.summary(is_ping_pong(plan.test) ? 2 : 1, plan.every_time != 0);
    return measured;
}

}  // namespace nd
