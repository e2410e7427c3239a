// SPDX-License-Identifier: MIT
//
// Read perf_client.h and perf_protocol.h first.
#include "perf/run/perf_client.h"

#include "interruption.h"
#include "network/connection/peer_text.h"
#include "perf/run/tests.h"

#include <exception>
#include <memory>
#include <random>
#include <stdexcept>

namespace nd {
namespace {

Measurement run_test(Endpoint& endpoint, ProgressBar* bar) {
    const PointPlan& plan = endpoint.plan();
    if (plan.verify != 0 && !takes_receives(plan.test) && plan.test != Test::write_lat)
        return run_verified_rdma(endpoint, bar);
    switch (plan.test) {
        case Test::send_lat:
        case Test::write_imm_lat:
        case Test::wake_lat: return measure_send_latency(endpoint, bar);
        case Test::pairs_lat: return measure_pairs_latency(endpoint, bar);
        case Test::connect_rate: return measure_connect_rate(endpoint, bar);
        case Test::register_lat: return measure_register_latency(endpoint, bar);
        case Test::write_lat: return measure_write_latency(endpoint, bar);
        case Test::read_lat: return measure_read_latency(endpoint, bar);
        case Test::send_bw:
        case Test::write_imm_bw:
        case Test::read_bw:
        case Test::write_bw: return run_stream(endpoint, bar);
    }
    return {};
}

Measurement measurement_of(const PointReport& report) {
    Measurement measured;
    measured.iterations = report.iterations;
    measured.verified = report.verified;
    measured.seconds = report.seconds;
    measured.switches = {report.voluntary_switches, report.involuntary_switches};
    return measured;
}

// A channel to the server; null if it measures for another client.
std::unique_ptr<MessageChannel> try_control(Adapter& adapter, const SocketAddress& server, const Hello& hello,
                                            ConnectWait& wait) {
    auto control = std::make_unique<MessageChannel>(adapter);
    Hello answer = {};
    try {
        if (!from_private_data(control->connection().connect(server, to_private_data(hello), wait), answer) ||
            !answer.is_for(Purpose::perf_control))
            throw std::runtime_error("the server at " + server.text() +
                                     " is not an `nd perf --server` of this version");
    } catch (const Refused& refusal) {
        if (refusal.words() != kBusy) throw;
        return nullptr;
    }
    return control;
}

std::unique_ptr<MessageChannel> connect_control(Adapter& adapter, const SocketAddress& server, const Hello& hello,
                                                double timeout_seconds) {
    ConnectWait wait(timeout_seconds);
    for (;;) {
        if (auto control = try_control(adapter, server, hello, wait)) return control;
        wait.wait_for_turn(server);
    }
}

// Its pages, at both sides, take seconds.
constexpr std::size_t kMuchMemory = std::size_t{1} << 30;

// The bytes of the other transports stay in memory.
bool has_interface(const std::string& transport) { return transport == "iwarp" || transport == "verbs"; }

}  // namespace

PerfClient::PerfClient(Adapter& adapter, const SocketAddress& server, double timeout_seconds)
    : adapter_(adapter),
      server_(server),
      session_(std::random_device()()),
      control_(connect_control(adapter, server, make_hello(Purpose::perf_control, session_), timeout_seconds)) {
    control_->stop_on_interrupt(false);  // a point that was begun is brought to its end
}

PerfClient::~PerfClient() {
    if (!in_session_ || control_->connection().lost()) return;  // releasing the connection tells the server as much
    try {
        control_->send(PointRequest{});
        control_->connection().disconnect();
    } catch (const std::exception&) {
        // The server has gone; measure() has said so, or nothing is missing.
    }
}

PointOutcome PerfClient::measure(const PointPlan& plan, ProgressBar* bar) {
    PointOutcome outcome;
    outcome.plan = plan;
    outcome.api = adapter_.api();
    if (bar != nullptr && Endpoint::memory_bytes(plan) >= kMuchMemory) bar->begin_long("preparing memory");
    auto endpoint = std::make_unique<Endpoint>(adapter_, plan);
    endpoint->queue().stop_on_interrupt(false);
    endpoint->queue().watch(&control_->connection());
    in_session_ = false;  // until this point is over, the server expects something else than a request
    request(plan);
    endpoint->connect(server_, session_, point_);
    control_->receive<PointStart>();
    control_->send(PointStart{point_});
    try {
        outcome.transport = endpoint->first_connection().transport_name();
        outcome.path = endpoint->first_connection().transport_path();
        if (has_interface(outcome.transport)) outcome.interface = interface_of(adapter_.address());
        outcome.client = run_test(*endpoint, bar);
    } catch (const std::exception& failure) {
        endpoint.reset();  // ends the data connections, so that the server notices
        throw_with_server_reason(failure);
    }
    const PointReport report = finish_point();
    in_session_ = true;
    if (report.succeeded == 0) throw std::runtime_error("at the server: " + peer_text(report.error));
    outcome.server = measurement_of(report);
    outcome.server_took_part = report.took_part != 0;
    endpoint->disconnect();
    return outcome;
}

void PerfClient::request(const PointPlan& plan) {
    PointRequest request = {};
    request.has_point = 1;
    request.number = ++point_;
    request.plan = plan;
    control_->send(request);
    const auto ready = control_->receive<PointReady>();
    if (ready.ready == 0) throw std::runtime_error("the server cannot prepare the test: " + peer_text(ready.error));
}

PointReport PerfClient::finish_point() {
    control_->send(PointDone{point_});
    return control_->receive<PointReport>();
}

// The server may know better why a test failed here.
void PerfClient::throw_with_server_reason(const std::exception& failure) {
    std::string text = failure.what();
    try {
        const PointReport report = finish_point();
        if (report.succeeded == 0) text += "\n  at the server: " + peer_text(report.error);
    } catch (const std::exception& silence) {
        text += std::string("\n  the server does not say why: ") + silence.what();
    }
    throw std::runtime_error(text);
}

}  // namespace nd
