// SPDX-License-Identifier: MIT
// A queue pair as the parts beneath it see it: the service thread, the registrations and windows of its adapter, and
// the shared queue of its receives.
#pragma once

#include <atomic>

#include "base/ref.h"
#include "transport/queue_pair.h"
#include "transport/soft/channel/access_end.h"
#include "transport/soft/engine/result_ring.h"

namespace opennd::soft {

class Service;

class ServedQueuePair : public TransportQueuePair, public Deferrable {
public:
    // Runs the queue pair for the service thread, sets attention to asleep and checks for news, until nothing moves or
    // it is the turn of others. Returns true if work remains.
    virtual bool serve() = 0;
    // The place of this queue pair in the list of those that a Service is to serve: that of the service which set `listed`, whose mutex
    // guards `next` until it takes `listed` back. Sequentially consistent.
    struct Wanting {
        std::atomic<bool> listed{false};
        Ref<ServedQueuePair> next;
    };
    Wanting& wanting() { return wanting_; }

    // The service to which work is left. It changes with the loop that takes the arrivals.
    Service& service() const { return *service_.load(std::memory_order_relaxed); }

    // Returns when neither a thread here nor the peer uses the memory of a registration. Its tokens were removed from the
    // token table before, and behind that the caller has passed a heavy barrier. Returns false if the peer did not leave in
    // time; the caller calls fail() once it holds no lock.
    [[nodiscard]] virtual bool end_accesses(Token remote, const AccessEnd& end) = 0;
    // Returns when the accesses that this side carries out for the peer have ended. For the initiator, while it is busy.
    virtual void wait_for_responder() = 0;
    // Fails the queue pair: it goes to error, and the connection ends. A completion queue overran (ND2-CQ-OVR-01), or
    // the peer did not leave an access in time.
    virtual void fail(Progress& progress) = 0;
    // Does so with no lock held.
    void fail() final {
        Progress progress;
        fail(progress);
        progress.after.run();
    }

    // Moves arrivals and requests until nothing moves or it is the turn of others, and leaves the rest to the service thread. For a
    // caller that does not come again. No lock held.
    virtual void run() = 0;
    // Returns the ring in which receives complete.
    virtual ResultRing& receive_results() const = 0;

protected:
    // `service` outlives it.
    explicit ServedQueuePair(Service& service) : service_(&service) {}
    void set_service(Service& service) { service_.store(&service, std::memory_order_relaxed); }

private:
    Wanting wanting_;
    // Relaxed: a thread that is late leaves work to the service before, which does it as well.
    std::atomic<Service*> service_;
};

}  // namespace opennd::soft
