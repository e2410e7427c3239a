// SPDX-License-Identifier: MIT
//
// Read outcome_text.h first.
#include "perf/report/outcome_text.h"

namespace nd {
namespace {

void add(std::string& text, const std::string& part) { text += (text.empty() ? "" : ", ") + part; }

}  // namespace

std::string link_text(const Interface& interface) {
    if (interface.name.empty() || interface.loopback) return "none";
    return interface.name + " (" +
           (interface.rate_megabits == 0 ? std::string("rate unknown") : rate_text(interface.rate_megabits)) + ")";
}

std::string title_text(const PointOutcome& outcome) {
    const char* const memory = outcome.plan.memory == MemoryKind::mappable ? "mappable" : "private";
    const std::string path = outcome.path.empty() ? std::string() : " (" + outcome.path + ")";
    return std::string(name_of(outcome.plan.test)) + ": " + name_of(outcome.api) + ", transport " + outcome.transport +
           path + ", " + memory + " memory, link " + link_text(outcome.interface);
}

std::string conditions_text(const PointPlan& plan) {
    std::string text;
    if (!is_latency(plan.test) || plan.queue_pairs != 1)
        add(text, std::to_string(plan.queue_pairs) + (plan.queue_pairs == 1 ? " queue pair" : " queue pairs"));
    if (plan.bidirectional != 0) add(text, "bidirectional");
    if (plan.reads != QueueDepths::kAllReads) add(text, "Reads in progress: " + std::to_string(plan.reads));
    if (plan.test == Test::pairs_lat) add(text, plan.spread != 0 ? "messages on all in turn" : "messages on the first");
    if (plan.events != 0) add(text, "events");
    if (plan.verify != 0) add(text, "every byte verified");
    return text;
}

std::string plan_text(const PointOutcome& outcome) {
    const PointPlan& plan = outcome.plan;
    std::string text = "depth " + std::to_string(plan.depth) + ", receives " + std::to_string(plan.receive_depth) +
                       ", result every " + std::to_string(plan.moderation) + ", inline up to " +
                       std::to_string(plan.inline_bytes) + " bytes, warm-up " + std::to_string(plan.warmup);
    if (plan.verify != 0)
        text += ", verified " + std::to_string(outcome.client.verified) + " here and " +
                std::to_string(outcome.server.verified) + " at the server";
    return text;
}

}  // namespace nd
