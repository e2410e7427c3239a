// SPDX-License-Identifier: MIT
//
// What a registration costs: one region, registered and deregistered again and again. Read tests.h first.
#include "nd_error.h"
#include "network/memory/registration.h"
#include "perf/run/tests.h"
#include "perf/run/timed_turns.h"

namespace nd {
namespace {

class Registering {
public:
    explicit Registering(Endpoint& endpoint)
        : memory_(endpoint.lane().source.data()), bytes_(endpoint.plan().size), registration_(endpoint.adapter()) {}

    void turn() {
        finish(registration_.begin(memory_, bytes_, &request_), registration_.begin_method());
        finish(registration_.end(&request_), registration_.end_method());
    }

    void stop() {}
    std::uint64_t verified() const { return 0; }

private:
    // No event: most providers, this one too, are done when the call returns.
    void finish(HRESULT status, const char* method) {
        if (status == ND_PENDING) status = registration_.object().result(&request_);
        check(status, "register memory", method);
    }

    void* const memory_;
    const std::size_t bytes_;
    OVERLAPPED request_ = {};
    Registration registration_;
};

}  // namespace

Measurement measure_register_latency(Endpoint& endpoint, ProgressBar* bar) {
    Registering game(endpoint);
    return measure_turns(game, endpoint.plan(), bar);
}

}  // namespace nd
