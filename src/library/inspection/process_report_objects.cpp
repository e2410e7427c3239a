// SPDX-License-Identifier: MIT
// Queues and memory in reports: see process_report.h.
#include "library/inspection/process_report.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/format.h"
#include "core/adapter/adapter.h"
#include "core/adapter/live_objects.h"
#include "core/memory/memory_region.h"
#include "core/memory/memory_window.h"
#include "core/queue/completion_queue.h"
#include "core/queue/queue_pair.h"
#include "core/queue/shared_receive_queue.h"

namespace opennd {
namespace {

// Live connections by the numbers of their queue pairs.
using Connections = std::unordered_map<std::uint32_t, LiveConnection>;

std::string hexadecimal(const void* address) { return format("{:#x}", reinterpret_cast<std::uintptr_t>(address)); }

// A token grants access, so the report has no tokens.
ordered_json rights_json(Access access) {
    ordered_json all = ordered_json::array();
    if (any_of(access, Access::local_write)) all.push_back("local write");
    if (any_of(access, Access::read_sink)) all.push_back("read sink");
    if (any_of(access, Access::remote_read)) all.push_back("remote read");
    if (any_of(access, Access::remote_write)) all.push_back("remote write");
    return all;
}

ordered_json oldest_json(const OldestRequest& oldest, std::chrono::nanoseconds seen) {
    ordered_json json = {{"operation", name(oldest.operation)},
                         {"bytes", oldest.length_bytes},
                         {"context", hexadecimal(oldest.context)},
                         {"started", oldest.started},
                         {"seen_ms", milliseconds_of(seen)}};
    if (oldest.age) json["age_ms"] = milliseconds_of(*oldest.age);
    return json;
}

ordered_json stream_json(const StreamUse& stream) {
    return {{"retransmitted", stream.retransmitted},    {"timeouts", stream.timeouts},
            {"unacknowledged", stream.unacknowledged},  {"round_trip_us", stream.round_trip.count()},
            {"sent_ms_ago", stream.since_sent.count()}, {"received_ms_ago", stream.since_received.count()}};
}

struct Look {
    StandingRequests& standing;
    SteadyTime began;
};

void add_queues(const QueuePairUse& use, const QueuePair& queue_pair, const Look& look, ordered_json& json) {
    json["requests"] = {{"depth", queue_pair.limits().initiator_depth},
                        {"outstanding", use.requests},
                        {"unstarted", use.unstarted},
                        {"unretrieved", use.unretrieved},
                        {"completed", use.requests_completed}};
    if (use.oldest)
        json["requests"]["oldest"] =
            oldest_json(*use.oldest, look.standing.seen(queue_pair.number(), use.requests_completed, look.began));
    if (!queue_pair.shared_receive_queue())
        json["receives"] = {{"depth", queue_pair.limits().receive_depth},
                            {"posted", use.receives},
                            {"unretrieved", use.receives_unretrieved},
                            {"completed", use.receives_completed}};
    json["message_waits"] = use.message_waits;
    if (use.message_age) json["message_age_ms"] = milliseconds_of(*use.message_age);
    json["messages_waited"] = use.messages_waited;
}

void add_use(const QueuePairUse& use, const QueuePair& queue_pair, const Look& look, ordered_json& json) {
    json["state"] = name(use.state);
    json["polled"] = use.polled;
    if (use.busy)
        json["busy"] = true;
    else
        add_queues(use, queue_pair, look, json);
    if (!use.path.empty()) json["path"] = use.path;
    if (use.traffic)
        json["traffic"] = {{"octets_in", use.traffic->octets_in},
                           {"octets_out", use.traffic->octets_out},
                           {"frames_in", use.traffic->frames_in},
                           {"frames_out", use.traffic->frames_out}};
    if (use.stream) json["tcp"] = stream_json(*use.stream);
}

ordered_json queue_pair_json(const QueuePair& queue_pair, const Connections& connections, const Look& look) {
    ordered_json json = {{"number", queue_pair.number()}, {"api", name(queue_pair.adapter().face())}};
    if (const auto connected = connections.find(queue_pair.number()); connected != connections.end()) {
        json["local"] = connected->second.local.text();
        json["peer"] = connected->second.peer.text();
        json["wire"] = connected->second.carrier.wire;
    }
    json["receive_cq"] = queue_pair.receive_completion_queue().number();
    json["initiator_cq"] = queue_pair.initiator_completion_queue().number();
    if (const SharedReceiveQueue* const shared = queue_pair.shared_receive_queue()) json["srq"] = shared->number();
    add_use(queue_pair.use(), queue_pair, look, json);
    return json;
}

ordered_json completion_queue_json(const CompletionQueue& queue) {
    const WaitingCompletions waiting = queue.count_waiting();
    ordered_json json = {{"number", queue.number()},       {"depth", queue.depth()},
                         {"results", waiting.all},         {"solicited", waiting.solicited},
                         {"notify", queue.notify_waits()}, {"failed", queue.failed()}};
    if (const std::optional<Poller> poller = queue.transport()->poller()) {
        json["poller"] = {{"thread", poller->thread}};
        if (poller->since_result) json["poller"]["result_ms_ago"] = milliseconds_of(*poller->since_result);
    }
    if (const std::optional<std::size_t> loop = queue.transport()->loop()) json["loop"] = *loop;
    return json;
}

ordered_json shared_queue_json(const SharedReceiveQueue& queue) {
    const SharedReceiveQueueLimits limits = queue.limits();
    return {{"number", queue.number()},
            {"depth", limits.depth},
            {"threshold", limits.threshold},
            {"posted", queue.transport()->count_posted()}};
}

ordered_json region_json(const MemoryRegion& region) {
    ordered_json json = {{"number", region.number()}};
    const auto memory = region.memory();
    json["registered"] = memory.has_value();
    if (!memory) return json;
    if (memory->address) json["address"] = hexadecimal(memory->address);
    json["bytes"] = memory->bytes;
    json["rights"] = rights_json(memory->access);
    return json;
}

ordered_json window_json(const MemoryWindow& window) {
    return {{"number", window.number()}, {"bound", window.remote_token() != Token::none}};
}

template <typename T, typename Describe>
ordered_json all_json(const LiveObjects<T>& objects, Describe describe) {
    ordered_json all = ordered_json::array();
    for (const Ref<T>& each : objects.all()) all.push_back(describe(*each));
    return all;
}

}  // namespace

void report_objects(Activity& activity, StandingRequests& standing, SteadyTime began, ordered_json& interface) {
    const Look look{standing, began};
    Connections connections;
    for (LiveConnection& each : activity.connections()) connections.emplace(each.queue_pair, std::move(each));
    Inventory& inventory = activity.inventory();
    interface["queue_pairs"] = all_json(
        inventory.queue_pairs, [&](const QueuePair& each) { return queue_pair_json(each, connections, look); });
    interface["completion_queues"] = all_json(inventory.completion_queues, completion_queue_json);
    interface["shared_receive_queues"] = all_json(inventory.shared_receive_queues, shared_queue_json);
    interface["memory_regions"] = all_json(inventory.memory_regions, region_json);
    interface["memory_windows"] = all_json(inventory.memory_windows, window_json);
}

}  // namespace opennd
