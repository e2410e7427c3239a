// SPDX-License-Identifier: MIT
// VerbsConnector, the passive side as the program asks for it, and the hardware's attributes of either side.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "transport/verbs/connection/connection_id.h"
#include "transport/verbs/connection/connector.h"
#include "transport/verbs/connection/time_code.h"

namespace opennd::verbs {
namespace {

// A code of the InfiniBand specification for times. A message that finds no receive here is sent again after 1.28 ms: receives are
// often posted a moment late, by a program that answers first.
constexpr std::uint8_t kPauseWithoutReceive = 14;
// The attributes of Ethernet in rdma_init_qp_attr's mask. The kernel sets them for every device; devices of InfiniBand
// refuse them.
constexpr int kOfEthernet = 0xE00000;

// Proposes the attributes. connection_aborted: the peer has withdrawn its request, or its reply.
Status propose(const CmFunctions& rdma, rdma_cm_id* id, const Address& remote, ibv_qp_state state,
               ibv_qp_attr& attributes, int& mask) {
    attributes = {};
    attributes.qp_state = state;
    if (rdma.init_qp_attr(id, &attributes, &mask) == 0) return Status::success;
    if (errno == EINVAL) return Status::connection_aborted;
    return report_cm_failure(errno, "rdma_init_qp_attr", "connector", phrase("a connection with {}", remote.text()));
}

}  // namespace

Ref<VerbsConnector> VerbsConnector::passive(Ref<TransportAdapter> owner, Ref<Device> device, Ref<ConnectionId> id,
                                            const CmEvent& request) {
    Ref<VerbsConnector> self(new VerbsConnector(std::move(owner), std::move(device), State::requested));
    const Held lock(self->mutex_);
    self->remote_ = id->peer();
    self->peer_waits_ = waits_for_receives(request);
    self->id_ = std::move(id);
    return self;
}

void VerbsConnector::accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                            std::span<const std::byte> private_data) {
    const Ref<VerbsQueuePair> pair(static_cast<VerbsQueuePair*>(queue_pair.get()));
    const bool is_idle = pair->begin_attempt(this);
    Status status = Status::connection_aborted;  // given up by the peer: the sink knows or will
    {
        const Held lock(mutex_);
        if (state_ == State::requested) {
            limits_ = limits;
            queue_pair_ = pair;
            status = is_idle ? answer(*pair, private_data) : Status::canceled;
            if (!ok(status)) {
                (void)conclude(Event::end);
                tell_later([](ConnectorSink& to) { to.on_establish_failed(Status::connection_aborted); });
            }
        }
    }
    if (ok(status)) return;
    if (const Ref<Parting> last = parting()) last->let_go();
    pair->end(Status::canceled);
}

// Answers the request. ESTABLISHED may come before rdma_accept returns, and waits for the lock.
Status VerbsConnector::answer(VerbsQueuePair& pair, std::span<const std::byte> private_data) {
    if (!is_iwarp())
        if (const Status status = make_ready(pair); !ok(status)) return status;
    offer_options(pair);
    id_->set_sink(make_ref<Events>(Ref<VerbsConnector>(this)));
    if (!pair.attach(make_ref<End>(Ref<VerbsConnector>(this)), limits_, Start::held, message_limit(pair)))
        return Status::canceled;
    state_.must_advance(Event::accept);
    rdma_conn_param answer = terms(pair);
    const std::vector<std::byte> data = message(private_data, CmMessage::reply, &pair);
    put(data, answer);
    if (rdma().accept(id_->get(), &answer) == 0) return Status::success;
    if (errno == EINVAL || errno == ECONNRESET) return Status::connection_aborted;  // the peer has withdrawn
    return report_cm_failure(errno, "Accept", "connector", phrase("a connection with {}", remote_.text()));
}

Status VerbsConnector::make_ready(VerbsQueuePair& pair) {
    ibv_qp_attr attributes;
    int mask = 0;
    if (const Status status = join_partition(pair); !ok(status)) return status;
    take_options(pair);
    if (const Status status = propose(rdma(), id_->get(), remote_, IBV_QPS_RTR, attributes, mask); !ok(status))
        return status;
    if (device_->facts().technology == Technology::infiniband) mask &= ~kOfEthernet;
    attributes.max_dest_rd_atomic = static_cast<std::uint8_t>(limits_.inbound);  // proposed is the peer's offer
    attributes.min_rnr_timer = kPauseWithoutReceive;
    if (const Status status = pair.modify(attributes, mask); !ok(status)) return status;
    if (const Status status = propose(rdma(), id_->get(), remote_, IBV_QPS_RTS, attributes, mask); !ok(status))
        return status;
    attributes.max_rd_atomic = static_cast<std::uint8_t>(limits_.outbound);
    attributes.retry_cnt = kRetriesOfPath;
    attributes.rnr_retry = kRetriesWithoutEnd;  // proposed is the peer's wish, which is 0 for some
    // The first message and its repetitions last as long as the path may be down. InfiniBand's own time may be longer.
    const std::uint8_t least = code_of_time(device_->settings().path_time / (kRetriesOfPath + 1));
    const bool is_infiniband = device_->facts().technology == Technology::infiniband;
    attributes.timeout = is_infiniband ? std::max<std::uint8_t>(attributes.timeout, least) : least;
    answer_time_ = std::chrono::duration_cast<std::chrono::milliseconds>(time_of_code(attributes.timeout));
    return pair.modify(attributes, mask);
}

// Moves the queue pair, which was made before its address was known, to the partition of the address. On Ethernet there is one.
Status VerbsConnector::join_partition(VerbsQueuePair& pair) {
    if (device_->facts().technology != Technology::infiniband) return Status::success;
    ibv_qp_attr attributes;
    int mask = 0;
    if (const Status status = propose(rdma(), id_->get(), remote_, IBV_QPS_INIT, attributes, mask); !ok(status))
        return status;
    if (attributes.pkey_index == 0) return Status::success;
    return pair.modify(attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX);
}

void VerbsConnector::offer_options(const VerbsQueuePair& pair) const {
    if (is_iwarp() || !rdma().set_local_ece) return;
    std::optional<ibv_ece> options = pair.device_options();
    if (!options || rdma().set_local_ece(id_->get(), &*options) == 0) return;
    log(LogLevel::debug, "connection over verbs with {}: rdma_cm does not take the device's options", remote_.text());
}

// A peer that has none says vendor 0.
void VerbsConnector::take_options(VerbsQueuePair& pair) const {
    ibv_ece options{};
    if (is_iwarp() || !rdma().get_remote_ece || rdma().get_remote_ece(id_->get(), &options) != 0) return;
    if (options.vendor_id != 0) pair.take_peer_options(options);
}

std::optional<MessageLimit> VerbsConnector::message_limit(const VerbsQueuePair& queue_pair) const {
    if (is_iwarp() || queue_pair.waits_for_receives() || peer_waits_) return std::nullopt;
    return MessageLimit{device_->settings().no_receive_time, answer_time_};
}

// Returns true if the peer has taken its request back. iWARP tells it at rdma_accept alone.
bool VerbsConnector::is_withdrawn() const {
    ibv_qp_attr attributes;
    int mask = 0;
    return state_ == State::requested && !is_iwarp() &&
           !ok(propose(rdma(), id_->get(), remote_, IBV_QPS_RTR, attributes, mask));
}

bool VerbsConnector::abandoned() const {
    const Held lock(mutex_);
    return is_withdrawn();
}

void VerbsConnector::set_sink(Ref<ConnectorSink> sink) {
    const Held lock(mutex_);
    std::swap(sink_, sink);
    if (sink_ && is_withdrawn())
        tell_later([](ConnectorSink& to) { to.on_establish_failed(Status::connection_aborted); });
}

}  // namespace opennd::verbs
