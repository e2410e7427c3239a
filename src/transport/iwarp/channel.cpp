// SPDX-License-Identifier: MIT
// IwarpChannel: its construction, and the end of its stream by this side. See channel.h.
#include "transport/iwarp/channel.h"

#include <utility>

namespace opennd::iwarp {
namespace {

// Fences are the rule with OpenND peers only: some other peers fail on them (docs/decisions/0026). They need Reads; receipts need
// none.
CompletionProof completion_with(const MpaAgreement& agreement, CompletionProof chosen) {
    if (chosen == CompletionProof::automatic && agreement.receipts) return CompletionProof::receipts;
    if (agreement.limits.outbound == 0) return CompletionProof::local;
    if (chosen != CompletionProof::automatic) return chosen;
    return agreement.peer == Maker::opennd ? CompletionProof::fenced : CompletionProof::local;
}

// The cause in the Terminate for a receive that completed with `status`, a failure.
TerminateCause refused_receive(Status status) {
    if (status == Status::receive_too_small) return cause({FaultKind::message_too_long});
    if (status == Status::malformed_request) return cause({FaultKind::invalidated_stag_unknown});
    return kUnplaceable;
}

}  // namespace

IwarpChannel::IwarpChannel(Parts&& parts)
    : StreamState(*this, *this, *parts.loop, parts.agreement, completion_with(parts.agreement, parts.completion),
                  parts.role == MpaRole::request, std::move(parts.ledger), parts.wire),
      opening_sent_(parts.opening_sent),
      buffers_(std::move(parts.buffers)),
      memory_(*parts.tokens, parts.scope),
      watching_(*this, std::move(parts.owner), std::move(parts.pollers)),
      outlet_(*this, watching_, *buffers_, parts.role == MpaRole::request, parts.dead_after),
      outbound_(*this, watching_, outlet_, memory_),
      inbound_({*this, watching_, outlet_, outbound_}, memory_, *buffers_, parts.arrived) {
    take(std::move(parts.socket));
}

IwarpChannel::~IwarpChannel() { close(); }

std::string_view IwarpChannel::bulk_path() const {
    const bool crc = agreement().crc == Crc::on;
    switch (completion()) {
        case CompletionProof::receipts: return crc ? "tcp, crc32c, receipts" : "tcp, receipts";
        case CompletionProof::fenced: return crc ? "tcp, crc32c, fences" : "tcp, fences";
        case CompletionProof::automatic:
        case CompletionProof::local: break;
    }
    return crc ? "tcp, crc32c" : "tcp";
}

void IwarpChannel::describe_connection(QueuePairUse& use) const {
    use.traffic = traffic().read();
    use.path = bulk_path();
    use.stream = outlet_.use();
}

// The code of the Terminate that was noted, else of the one that is due for `status`.
std::uint32_t IwarpChannel::failure_code(Operation operation, Status status) const {
    const std::int32_t noted = this->noted();
    if (noted != kNoTerminate) return provider_code(ProviderWire::iwarp, static_cast<std::uint32_t>(noted));
    return provider_code(ProviderWire::iwarp,
                         number(operation == Operation::receive ? refused_receive(status) : kOwnFailure));
}

// Octets of a stream cannot be taken back.
bool IwarpChannel::stop_requests() {
    outbound_.look_closely();
    return true;
}

// Octets and receipts that were left to a poller's next call leave now.
soft::Attention IwarpChannel::set_attention(soft::Attention attention) {
    const soft::Attention before = watching_.set_attention(attention);
    if (before == soft::Attention::polling && attention != soft::Attention::polling) outlet_.flush_kept();
    return before;
}

// Not while answers are owed, or arrivals are not taken.
bool IwarpChannel::finish() { return !watching_.has_unfinished() && outbound_.finish(); }

void IwarpChannel::abort() {
    reset_when_closed();
    close();
}

void IwarpChannel::close() {
    if (!begin_close()) return;
    watching_.stop();
    outbound_.close();
    outlet_.close();
}

}  // namespace opennd::iwarp
