// SPDX-License-Identifier: MIT
//
// The timed loops. Each has an active side (the client, which measures) and, unless the target is passive, a side that
// answers until it is told to stop. Warm-up comes first, on the same connections, and is not counted.
#pragma once

#include "perf/measure/measurement.h"
#include "perf/measure/progress_bar.h"
#include "perf/run/endpoint.h"

namespace nd {

// Ping-pong of messages into posted receives, or of Writes with immediate data. The client ends it with an empty message.
Measurement measure_send_latency(Endpoint& endpoint, ProgressBar* bar);
Measurement answer_send_latency(Endpoint& endpoint);

// Measures over all queue pairs of the endpoint, which one completion queue serves.
Measurement measure_pairs_latency(Endpoint& endpoint, ProgressBar* bar);
Measurement answer_pairs_latency(Endpoint& endpoint);

// Connections beside the endpoint's own, one after the other: a queue pair and a connector made, connected, completed,
// disconnected and released. The last one says that it is.
Measurement measure_connect_rate(Endpoint& endpoint, ProgressBar* bar);
Measurement answer_connect_rate(Endpoint& endpoint);

// A region of the plan's size registered and deregistered; the peer does nothing.
Measurement measure_register_latency(Endpoint& endpoint, ProgressBar* bar);

// Ping-pong of writes; each side polls the last byte of its own memory, which is a number that changes each turn.
Measurement measure_write_latency(Endpoint& endpoint, ProgressBar* bar);
Measurement answer_write_latency(Endpoint& endpoint);

// One read after the other; the target does nothing.
Measurement measure_read_latency(Endpoint& endpoint, ProgressBar* bar);

// Many requests outstanding, on all queue pairs. Of the sends, the other side answers none and receives all; with
// bidirectional both sides run the stream, for any operation.
Measurement run_stream(Endpoint& endpoint, ProgressBar* bar);
Measurement receive_stream(Endpoint& endpoint);

// --verify of reads and writes: each pattern is written to the peer, read back and compared, in windows. The operation
// of the test's name is timed. `depth` requests in a window; a latency test has windows of one.
Measurement run_verified_rdma(Endpoint& endpoint, ProgressBar* bar);

}  // namespace nd
