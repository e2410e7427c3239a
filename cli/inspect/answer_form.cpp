// SPDX-License-Identifier: MIT
//
// Read answer_form.h first.
#include "inspect/answer_form.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>

namespace nd {
namespace {

using nlohmann::ordered_json;
using Names = std::initializer_list<const char*>;
using Form = bool (*)(const ordered_json&);

bool is_text(const ordered_json& value) { return value.is_string(); }
bool is_number(const ordered_json& value) { return value.is_number_unsigned(); }
bool is_truth(const ordered_json& value) { return value.is_boolean(); }

// Only an object does.
bool have(const ordered_json& object, Form form, Names members) {
    return object.is_object() && std::ranges::all_of(members, [&](const char* each) {
               const auto found = object.find(each);
               return found != object.end() && form(*found);
           });
}

// Those that are there.
bool may_have(const ordered_json& object, Form form, Names members) {
    return std::ranges::all_of(members, [&](const char* each) {
        const auto found = object.find(each);
        return found == object.end() || form(*found);
    });
}

template <Form kElement>
bool is_list(const ordered_json& value) {
    return value.is_array() && std::ranges::all_of(value, kElement);
}

bool is_connection(const ordered_json& each) {
    return have(each, is_text, {"local", "peer", "wire", "owner"}) && have(each, is_number, {"age_ms"}) &&
           may_have(each, is_text, {"api", "path"}) && may_have(each, is_number, {"queue_pair", "peer_pid"});
}

bool is_endpoint(const ordered_json& each) {
    return have(each, is_text, {"local", "owner"}) && have(each, is_truth, {"listens"}) &&
           may_have(each, is_text, {"api"});
}

bool is_traffic(const ordered_json& each) {
    return have(each, is_text, {"wire"}) && have(each, is_number, {"bytes_in", "bytes_out", "frames_in", "frames_out"});
}

bool are_counts(const ordered_json& value) {
    return have(value, is_number, {"active", "connects", "accepts", "failures", "errors", "queue_errors"});
}

bool has_counters(const ordered_json& object) {
    return have(object, are_counts, {"counts"}) && may_have(object, is_list<is_traffic>, {"traffic"});
}

bool is_api(const ordered_json& each) { return have(each, is_text, {"api"}) && has_counters(each); }

bool is_bucket(const ordered_json& each) {
    return each.is_array() && each.size() == 2 && (each[0].is_null() || is_number(each[0])) && is_number(each[1]);
}

bool is_latency(const ordered_json& each) {
    return have(each, is_text, {"api", "wire", "operation"}) &&
           have(each, is_number, {"count", "sum_ns", "longest_ns"}) && have(each, is_list<is_bucket>, {"buckets"});
}

bool is_interface(const ordered_json& each) {
    return have(each, is_text, {"name"}) && have(each, is_number, {"index"}) && has_counters(each) &&
           may_have(each, is_list<is_api>, {"apis"}) && may_have(each, is_list<is_latency>, {"latencies"}) &&
           have(each, is_list<is_connection>, {"connections"}) && have(each, is_list<is_endpoint>, {"endpoints"});
}

bool is_fault(const ordered_json& each) {
    return have(each, is_text, {"rule"}) && have(each, is_number, {"events", "injected"});
}

bool is_oldest_request(const ordered_json& value) {
    return have(value, is_text, {"operation"}) && have(value, is_number, {"bytes"}) &&
           have(value, is_truth, {"started"}) && may_have(value, is_number, {"age_ms", "seen_ms"});
}

bool are_requests(const ordered_json& value) {
    return have(value, is_number, {"depth", "outstanding", "unretrieved", "completed"}) &&
           may_have(value, is_oldest_request, {"oldest"});
}

bool are_receives(const ordered_json& value) {
    return have(value, is_number, {"depth", "posted", "unretrieved", "completed"});
}

bool is_stream(const ordered_json& value) { return have(value, is_number, {"timeouts"}); }

bool is_queue_pair(const ordered_json& each) {
    if (!have(each, is_number, {"number"}) || !may_have(each, is_text, {"peer", "path"})) return false;
    // The rest is left out; a version before this one leaves the state out, too.
    if (each.contains("busy")) return may_have(each, is_text, {"state"});
    return have(each, is_text, {"state"}) && have(each, is_truth, {"polled", "message_waits"}) &&
           have(each, is_number, {"initiator_cq", "receive_cq"}) && have(each, are_requests, {"requests"}) &&
           (have(each, are_receives, {"receives"}) || (!each.contains("receives") && have(each, is_number, {"srq"}))) &&
           may_have(each, is_number, {"message_age_ms"}) && may_have(each, is_stream, {"tcp"}) &&
           may_have(each, is_truth, {"moved"});  // which `nd show` adds
}

bool is_poller(const ordered_json& value) {
    return have(value, is_number, {"thread"}) && may_have(value, is_number, {"result_ms_ago"});
}

bool is_completion_queue(const ordered_json& each) {
    return have(each, is_number, {"number", "depth", "results"}) && have(each, is_truth, {"notify", "failed"}) &&
           may_have(each, is_poller, {"poller"}) && may_have(each, is_number, {"loop"});
}

bool is_shared_queue(const ordered_json& each) {
    return have(each, is_number, {"number", "depth", "posted", "threshold"});
}

bool is_region(const ordered_json& each) {
    if (!have(each, is_number, {"number"}) || !have(each, is_truth, {"registered"})) return false;
    return !each.at("registered").get<bool>() ||
           (have(each, is_number, {"bytes"}) && have(each, is_list<is_text>, {"rights"}) &&
            may_have(each, is_text, {"address"}));
}

bool is_window(const ordered_json& each) {
    return have(each, is_number, {"number"}) && have(each, is_truth, {"bound"});
}

bool has_objects(const ordered_json& interface) {
    return have(interface, is_list<is_queue_pair>, {"queue_pairs"}) &&
           have(interface, is_list<is_completion_queue>, {"completion_queues"}) &&
           have(interface, is_list<is_shared_queue>, {"shared_receive_queues"}) &&
           have(interface, is_list<is_region>, {"memory_regions"}) &&
           have(interface, is_list<is_window>, {"memory_windows"});
}

bool is_event(const ordered_json& each) {
    return have(each, is_number, {"at_us", "thread"}) && have(each, is_text, {"level", "text"});
}

bool is_request_event(const ordered_json& each) {
    return have(each, is_number, {"at_us", "thread", "bytes"}) &&
           have(each, is_text, {"event", "operation", "context"}) && may_have(each, is_text, {"status"}) &&
           may_have(each, is_number, {"took_ns"});
}

bool is_recorded_queue(const ordered_json& each) {
    return have(each, is_text, {"queue"}) && have(each, is_number, {"number"}) &&
           have(each, is_list<is_request_event>, {"events"});
}

}  // namespace

bool is_report(const ordered_json& answer) {
    return have(answer, is_text, {"program"}) && have(answer, is_number, {"user"}) &&
           may_have(answer, is_text, {"version"}) && may_have(answer, is_list<is_fault>, {"faults"}) &&
           have(answer, is_list<is_interface>, {"interfaces"});
}

bool is_report_with_objects(const ordered_json& answer) {
    return is_report(answer) && std::ranges::all_of(answer.at("interfaces"), has_objects);
}

bool is_list_of_events(const ordered_json& answer) {
    return have(answer, is_list<is_event>, {"events"}) && may_have(answer, is_list<is_recorded_queue>, {"requests"});
}

}  // namespace nd
