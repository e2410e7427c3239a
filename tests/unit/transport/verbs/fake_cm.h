// SPDX-License-Identifier: MIT
// rdma_cm as a table of functions that do nothing by themselves: a test plays the kernel and the peer. Calls are written to the
// journal ("connect"); a call fails with the errno that the test sets, or waits until the test lets it go on.
//
// As librdmacm does, destroy_id forgets events that nobody has read, and waits for the acknowledgement of those that were read.
#pragma once

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <sys/eventfd.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "model/address.h"
#include "transport/verbs/device/rdma_core.h"
#include "unit/transport/verbs/journal.h"

namespace opennd::verbs {

class FakeCm {
public:
    explicit FakeCm(Journal& journal);
    ~FakeCm();
    FakeCm(const FakeCm&) = delete;

    const CmFunctions& functions() const { return functions_; }
    Journal& journal() { return journal_; }

    // The attributes that the kernel proposes to a device of any kind, and a device of InfiniBand refuses.
    static constexpr int kOfEthernet = 0xE00000;

    // What the kernel says of a new id's device, its port, and the place of its address's partition in the port's table.
    ibv_context* context = nullptr;
    std::uint8_t port = 1;
    std::uint16_t partition = 0;
    // The options of the peer's device that a request or a reply brings.
    ibv_ece peer_options{};

    // The next calls of `call` fail; 0: they succeed again.
    void fail(const std::string& call, int error);
    // The next calls of `call` wait until let_go().
    void hold(const std::string& call);
    void let_go();

    // An event for the id of a connection, with private data of `data` octets of the value 7.
    struct Told {
        rdma_cm_event_type type;
        int status = 0;
        std::uint8_t inbound = 0, outbound = 0;
        std::size_t data = 0;
        bool shares = false;              // the peer has a shared receive queue
        std::vector<std::byte> octets{};  // in place of `data` octets, if there are some
    };
    void tell(rdma_cm_id* id, const Told& told);
    // A peer asks the listener `id`; its new id.
    rdma_cm_id* ask(rdma_cm_id* listener, const Told& told, const Address& local, const Address& peer);

    // The peers of all ids end their connections, or answer to an end.
    void end_all();

    // The newest id that create_id made.
    rdma_cm_id* newest() const;
    // The parameters of the last connect or accept, and its private data.
    rdma_conn_param last_terms() const;
    std::vector<std::byte> last_data() const;
    // Ids that are not destroyed.
    std::size_t ids() const;

private:
    struct Id;
    struct Event;
    friend struct FakeCmCalls;

    int outcome(const std::string& call);
    void tell_locked(Id& to, rdma_cm_event event, const Told& told);

    Journal& journal_;
    CmFunctions functions_{};
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    rdma_event_channel channel_{};
    std::map<std::string, int> errors_;
    std::set<std::string> held_;
    std::deque<std::unique_ptr<Event>> events_;
    std::set<Id*> ids_;
    Id* newest_ = nullptr;
    rdma_conn_param terms_{};
    std::vector<std::byte> data_;
};

}  // namespace opennd::verbs
