// SPDX-License-Identifier: MIT
//
// Read perf_server.h and perf_protocol.h first.
#include "perf/run/perf_server.h"

#include "interruption.h"
#include "network/connection/busy_door.h"
#include "network/memory/client_memory.h"
#include "perf/measure/cpu_pair.h"
#include "perf/measure/tick_clock.h"
#include "perf/plan/perf_protocol.h"
#include "perf/run/tests.h"
#include "text/complaint.h"

#include <cstdio>
#include <exception>
#include <optional>

namespace nd {
namespace {

Measurement take_part(Endpoint& endpoint) {
    const PointPlan& plan = endpoint.plan();
    switch (plan.test) {
        case Test::send_lat:
        case Test::write_imm_lat:
        case Test::wake_lat: return answer_send_latency(endpoint);
        case Test::pairs_lat: return answer_pairs_latency(endpoint);
        case Test::connect_rate: return answer_connect_rate(endpoint);
        case Test::write_lat: return answer_write_latency(endpoint);
        case Test::send_bw:
        case Test::write_imm_bw:
            return plan.bidirectional != 0 ? run_stream(endpoint, nullptr) : receive_stream(endpoint);
        case Test::read_bw:
        case Test::write_bw:
            return plan.verify != 0 ? run_verified_rdma(endpoint, nullptr) : run_stream(endpoint, nullptr);
        case Test::read_lat:
        case Test::register_lat: break;
    }
    return {};
}

PointReport report_of(const PointPlan& plan, const Measurement& measured) {
    PointReport report = {};
    report.succeeded = 1;
    report.took_part = plan.server_takes_part();
    report.iterations = measured.iterations;
    report.verified = measured.verified;
    report.seconds = measured.seconds;
    report.voluntary_switches = measured.switches.voluntary;
    report.involuntary_switches = measured.switches.involuntary;
    return report;
}

// One client, from its control connection to the end of its session.
class Session {
public:
    // An interruption ends a session unless the client is in the same process and in charge. `alone`: nobody else is to come.
    Session(Adapter& adapter, Listener& listener, bool stop_on_interrupt, std::uint64_t client_memory, bool alone)
        : adapter_(adapter),
          listener_(listener),
          stop_on_interrupt_(stop_on_interrupt),
          client_memory_(client_memory),
          alone_(alone),
          control_(adapter) {
        control_.stop_on_interrupt(stop_on_interrupt);
    }

    void accept_client() {
        for (;;) {
            const PrivateData data = control_.connection().take_request(listener_);
            if (from_private_data(data, hello_) && hello_.is_for(Purpose::perf_control)) break;
            control_.connection().reject("this server answers `nd perf` of the same version");
        }
        control_.connection().accept(to_private_data(hello_));
    }

    void serve() {
        for (;;) {
            PointRequest request;
            {
                const auto door = tell_others();
                request = control_.receive<PointRequest>();
            }
            if (request.has_point == 0) break;
            serve_point(request);
        }
        control_.connection().disconnect();
    }

private:
    void serve_point(const PointRequest& request) {
        std::unique_ptr<Endpoint> endpoint = prepare(request);
        if (!endpoint) return;
        endpoint->accept(listener_, control_.connection(), hello_.session, request.number);
        // With connect_rate, requests are the measurement, which refuses the others' itself.
        const auto door = request.plan.test == Test::connect_rate ? nullptr : tell_others();
        control_.send(PointStart{request.number});
        control_.receive<PointStart>();
        PointReport report = {};
        try {
            const Measurement measured = request.plan.server_takes_part() ? take_part(*endpoint) : Measurement{};
            report = report_of(request.plan, measured);
        } catch (const Interrupted&) {
            throw;
        } catch (const std::exception& failure) {
            std::snprintf(report.error, sizeof report.error, "%s", failure.what());
            endpoint.reset();  // ends the data connections, so that the client notices
        }
        control_.receive<PointDone>();
        control_.send(report);
        if (endpoint) endpoint->disconnect();
    }

    // Other clients hear that the server is busy as long as this lasts.
    std::unique_ptr<BusyDoor> tell_others() {
        return alone_ ? nullptr : std::make_unique<BusyDoor>(adapter_, listener_, kBusy);
    }

    // Tells the client whether it may connect; nothing if not.
    std::unique_ptr<Endpoint> prepare(const PointRequest& request) {
        PointReady ready = {};
        std::unique_ptr<Endpoint> endpoint;
        try {
            check_plan(request.plan, adapter_.limits());
            check_client_memory(Endpoint::memory_bytes(request.plan), client_memory_);
            endpoint = std::make_unique<Endpoint>(adapter_, request.plan);
            endpoint->queue().watch(&control_.connection());
            endpoint->queue().stop_on_interrupt(stop_on_interrupt_);
            ready.ready = 1;
        } catch (const std::exception& failure) {
            std::snprintf(ready.error, sizeof ready.error, "%s", failure.what());
        }
        control_.send(ready);
        return endpoint;
    }

    Adapter& adapter_;
    Listener& listener_;
    const bool stop_on_interrupt_;
    const std::uint64_t client_memory_;
    const bool alone_;
    MessageChannel control_;
    Hello hello_ = {};
};

}  // namespace

void serve_measurements(const PerfOptions& options, const ReadyFunction& ready) {
    pin_to_cpu(CpuPair::parse(options.cpus).server);
    seconds_per_tick();
    const SocketAddress own = server_address(options.local, options.port, PerfOptions::kDefaultPort);
    Adapter adapter(own.with_port(0), options.api.api());
    Listener listener(adapter, own.port());
    ready(listener.address());
    do {
        Session session(adapter, listener, !options.threads, options.client_memory,
                        options.ready_descriptor >= 0 || options.threads);
        session.accept_client();
        try {
            session.serve();
        } catch (const Interrupted&) {
            throw;
        } catch (const std::exception& failure) {
            if (!options.persist) throw;
            print_complaint(std::string("nd: ") + failure.what());
        }
    } while (options.persist);
}

}  // namespace nd
