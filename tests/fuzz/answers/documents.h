// SPDX-License-Identifier: MIT
// Answers of an honest process with every member that `nd` reads (docs/inspection.md), for a hostile one to begin with.
#pragma once

namespace opennd::fuzz {

inline constexpr const char* kReport = R"({
"pid": 4711, "program": "honest", "user": 1000, "version": "0.9", "settings": {"OPENND_LOG": "info"},
"capture": {"file": "/tmp/x.pcapng", "connections": 1, "packets": 2, "dropped": 0},
"faults": [{"rule": "read:denied nth=3", "events": 5, "injected": 1}],
"interfaces": [{"index": 1, "name": "lo",
  "counts": {"connects": 1, "accepts": 2, "failures": 3, "errors": 4, "active": 5, "queue_errors": 6},
  "traffic": [{"wire": "shm", "bytes_in": 10, "bytes_out": 20, "frames_in": 1, "frames_out": 2}],
  "apis": [{"api": "nd2", "counts": {"connects": 1, "accepts": 2, "failures": 3, "errors": 4, "active": 5, "queue_errors": 6},
    "traffic": [{"wire": "shm", "bytes_in": 10, "bytes_out": 20, "frames_in": 1, "frames_out": 2}]}],
  "latencies": [{"api": "nd2", "wire": "shm", "operation": "Send", "count": 3, "sum_ns": 60, "longest_ns": 40,
    "buckets": [[16, 1], [32, 1], [null, 1]]}],
  "connections": [{"local": "127.0.0.1:1", "peer": "127.0.0.1:2", "wire": "shm", "owner": "user", "api": "nd2", "age_ms": 70000,
    "queue_pair": 1, "peer_pid": 4712, "tcp": {"local": "127.0.0.1:1", "peer": "127.0.0.1:2"}}],
  "endpoints": [{"local": "127.0.0.1:2", "listens": true, "owner": "user", "api": "nd2"}],
  "queue_pairs": [
    {"number": 1, "api": "nd2", "local": "127.0.0.1:1", "peer": "127.0.0.1:2", "wire": "shm", "receive_cq": 1, "initiator_cq": 1,
     "state": "attached", "polled": true, "requests": {"depth": 7, "outstanding": 1, "unstarted": 0, "unretrieved": 1, "completed": 9,
       "oldest": {"operation": "Send", "bytes": 24, "context": "0x0", "started": true, "seen_ms": 210, "age_ms": 220}},
     "receives": {"depth": 3, "posted": 3, "unretrieved": 1, "completed": 8}, "message_waits": false, "messages_waited": 2,
     "path": "mapping, ring", "traffic": {"octets_in": 1, "octets_out": 2, "frames_in": 3, "frames_out": 4},
     "tcp": {"retransmitted": 1, "timeouts": 2, "unacknowledged": 3, "round_trip_us": 4, "sent_ms_ago": 5, "received_ms_ago": 6}},
    {"number": 2, "api": "nd2", "receive_cq": 1, "initiator_cq": 1, "srq": 1, "state": "idle", "polled": false,
     "requests": {"depth": 7, "outstanding": 0, "unstarted": 0, "unretrieved": 0, "completed": 0}, "message_waits": true,
     "message_age_ms": 4100, "messages_waited": 1},
    {"number": 3, "api": "ndk", "receive_cq": 1, "initiator_cq": 1, "peer": "127.0.0.1:3", "busy": true}],
  "completion_queues": [{"number": 1, "depth": 16, "results": 1, "solicited": 0, "notify": true, "failed": false,
    "poller": {"thread": 77, "result_ms_ago": 5}}],
  "shared_receive_queues": [{"number": 1, "depth": 5, "threshold": 2, "posted": 0}],
  "memory_regions": [{"number": 1, "registered": true, "address": "0x7f0000000000", "bytes": 8192,
    "rights": ["local write", "remote read"]}, {"number": 2, "registered": false}],
  "memory_windows": [{"number": 1, "bound": false}]}]})";

inline constexpr const char* kEvents = R"({
"pid": 4711, "events": [{"at_us": 1790000000000000, "thread": 4711, "level": "info", "text": "127.0.0.1:1: up"}],
"requests": [{"queue": "queue pair", "number": 1, "closed": false, "left_out": 0, "events": [
  {"at_us": 1790000000000001, "thread": 4711, "event": "posted", "operation": "Send", "bytes": 24, "context": "0x0"},
  {"at_us": 1790000000000002, "thread": 4711, "event": "refused", "operation": "Send", "bytes": 24, "context": "0x0",
   "status": "insufficient_resources"},
  {"at_us": 1790000000000003, "thread": 4711, "event": "result", "operation": "Send", "bytes": 24, "context": "0x0",
   "status": "success", "took_ns": 31200}]}]})";

}  // namespace opennd::fuzz
