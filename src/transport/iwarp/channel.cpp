// SPDX-License-Identifier: MIT
// IwarpChannel: its construction, the watch of its socket, and the outcome of a request.
#include "transport/iwarp/channel.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/until_memory.h"
#include "platform/host/random.h"
#include "platform/memory/copy_choice.h"
#include "platform/thread/look_choice.h"
#include "transport/iwarp/wire/crc_choice.h"

namespace opennd::iwarp {
namespace {

// Marks the ticket of a Read, which ReceiveTurn::read_done finishes.
constexpr std::uint64_t kReadTicket = std::uint64_t{1} << 63;

// Fences are the rule with OpenND peers only: some other peers fail on them (docs/decisions/0026). They need Reads; receipts need
// none.
Completion completion_with(const MpaAgreement& agreement, Completion chosen) {
    if (chosen == Completion::automatic && agreement.receipts) return Completion::receipts;
    if (agreement.limits.outbound == 0) return Completion::local;
    if (chosen != Completion::automatic) return chosen;
    return agreement.peer == Maker::opennd ? Completion::fenced : Completion::local;
}

constexpr std::uint32_t exchange_octets(std::uint32_t number) {
    if constexpr (std::endian::native == std::endian::big) return number;
    return __builtin_bswap32(number);
}

}  // namespace

Stag to_stag(Token token) { return static_cast<Stag>(exchange_octets(value(token))); }
Token to_token(Stag stag) { return static_cast<Token>(exchange_octets(value(stag))); }

soft::Ticket ticket_of(std::uint64_t number, bool read) {
    return static_cast<soft::Ticket>(read ? number | kReadTicket : number);
}

// arrival_ stays null: a socket has no arrival word.
IwarpChannel::IwarpChannel(Parts&& parts)
    : Channel(*this, *this, {.watches_itself = true}),
      loop_(*parts.loop),
      agreement_(parts.agreement),
      completion_(completion_with(parts.agreement, parts.completion)),
      tokens_(*parts.tokens),
      scope_(parts.scope),
      pollers_(std::move(parts.pollers)),
      opening_sent_(parts.opening_sent),
      buffers_(std::move(parts.buffers)),
      traffic_(std::move(parts.ledger), parts.wire),
      output_(agreement_.crc, agreement_.markers, *buffers_),
      mulpdu_(mulpdu(parts.socket.segment_bytes(), agreement_.markers)),
      last_sink_(static_cast<std::uint32_t>(random_u64())),
      reads_(std::max(agreement_.limits.outbound, 1u)),  // an RTR may be a Read even without agreed Reads (IW-CM-22)
      silence_(parts.dead_after),
      input_(agreement_.crc, *buffers_, parts.arrived),
      intake_(agreement_.limits.inbound),
      opened_(parts.role == MpaRole::request),
      gate_open_(parts.role == MpaRole::request),
      owner_(std::move(parts.owner)) {
    socket_ = std::move(parts.socket);
    finds_silence_ = socket_.leave_silence_to_caller();
    (void)copy_choice();  // now, so that no message waits for it
    if (agreement_.crc == Crc::on) (void)crc_choice();
    (void)look_choice();
}

IwarpChannel::~IwarpChannel() { close(); }

std::string_view IwarpChannel::bulk_path() const {
    const bool crc = agreement_.crc == Crc::on;
    switch (completion_) {
        case Completion::receipts: return crc ? "tcp, crc32c, receipts" : "tcp, receipts";
        case Completion::fenced: return crc ? "tcp, crc32c, fences" : "tcp, fences";
        case Completion::automatic:
        case Completion::local: break;
    }
    return crc ? "tcp, crc32c" : "tcp";
}

void IwarpChannel::describe_connection(QueuePairUse& use) const {
    use.traffic = traffic_.read();
    use.path = bulk_path();
    const Held lock(output_mutex_);  // close() takes the socket away under it
    use.stream = socket_.use();
}

bool IwarpChannel::find_outcome(soft::Ticket ticket, Status& status) {
    const std::uint64_t number = static_cast<std::uint64_t>(ticket) & ~kReadTicket;
    const bool read = number != static_cast<std::uint64_t>(ticket);
    status = Status::success;
    if (!read && number <= confirmed_.load(std::memory_order_relaxed)) return true;
    if (!looks_closely_.load(std::memory_order_acquire)) return false;
    const Held lock(output_mutex_);
    // Behind a Read that got no answer, and told by a receipt: canceled would deny it (ND2-QP-ERR-02).
    if (!read && sent_.ends_by(number, peer_receipts_.placed())) return true;
    status = failure_.status;
    return number == failure_.number;
}

// Nothing of a stream can be taken back.
bool IwarpChannel::hold_back() {
    looks_closely_.store(true, std::memory_order_release);
    return true;
}

Status IwarpChannel::unfinished() const {
    const Held lock(output_mutex_);
    const bool in_the_middle = framing_ == Framing::request;
    return in_the_middle && failure_.number == sent_.newest() ? failure_.status : Status::canceled;
}

std::uint64_t IwarpChannel::octets_moved() const {
    const Held lock(output_mutex_);
    return output_.sent() + taken();
}

void IwarpChannel::watch() {
    const Held lock(watch_mutex_);
    watched_ = true;
    watch_as(attention_.load(std::memory_order_relaxed));
}

void IwarpChannel::stop_watching() {
    Ref<ChannelOwner> last;  // released outside the lock
    const Held lock(watch_mutex_);
    if (std::exchange(watched_, false)) {
        loop_.remove(socket_.descriptor());
        for (const Membership& each : memberships_)
            if (each.source) each.source->remove(socket_.descriptor());
    }
    last = std::exchange(owner_, nullptr);
}

// While attention is `polling`, arrivals wake no thread. Otherwise each wakes the service thread, which serves the queue pair
// even if a poller has done the work already.
soft::Attention IwarpChannel::set_attention(soft::Attention attention) {
    const soft::Attention before = attention_.exchange(attention);
    if ((before == soft::Attention::polling) != (attention == soft::Attention::polling)) {
        const Held lock(watch_mutex_);
        watch_as(attention_.load(std::memory_order_relaxed));
    }
    if (needs_watch()) keep_watch();
    if (before != soft::Attention::polling || attention == soft::Attention::polling) return before;
    const Held lock(output_mutex_);  // for octets and receipts that were left to the poller's next call
    if (!output_.empty() || owes_receipt()) flush_output();
    return before;
}

// Once the loop watches for arrivals again, it reports an earlier one at once.
void IwarpChannel::watch_as(soft::Attention attention) {
    if (!watched_) return;
    const bool looked_at = attention == soft::Attention::polling || looks_.load(std::memory_order_relaxed);
    const std::uint32_t events =
        watches_room_.load(std::memory_order_relaxed) ? EventLoop::kFullSocket : EventLoop::kSocket;
    (void)loop_.modify(socket_.descriptor(), looked_at ? EventLoop::kPeerEnded : events);
}

// Most sockets are never full, and to watch for room from the start would report it at once.
void IwarpChannel::watch_room() {
    if (watches_room_.load(std::memory_order_relaxed)) return;
    const Held lock(watch_mutex_);
    watches_room_.store(true, std::memory_order_relaxed);
    watch_as(attention_.load(std::memory_order_relaxed));
}

// A poller looks itself, and a crowd's source names arrivals.
bool IwarpChannel::may_look() const {
    return !in_crowd() && attention() != soft::Attention::polling && ended() == End::none && !broken() &&
           !closed_.load();
}

bool IwarpChannel::has_served() {
    const std::uint32_t taken = one_sided_.load(std::memory_order_relaxed);
    return taken != std::exchange(one_sided_seen_, taken);
}

void IwarpChannel::set_looks(bool looks) {
    const Held lock(watch_mutex_);
    looks_.store(looks, std::memory_order_relaxed);
    watch_as(attention_.load(std::memory_order_relaxed));
}

void IwarpChannel::begin_to_look(LookPacing& pacing) {
    if (looks_.load(std::memory_order_relaxed) || !has_served() || !pacing.did_work(look_, now())) return;
    if (!look_choice().looks || !may_look()) return;
    Ref<ChannelOwner> owner = this->owner();
    if (owner && loop_.keep_looking(std::move(owner))) set_looks(true);
}

bool IwarpChannel::looks_on(LookPacing& pacing) {
    const SteadyTime at = now();
    const bool found = has_served();
    if (found) pacing.looked_with_success();
    const bool on = (found ? pacing.did_work(look_, at) : pacing.goes_on(look_, at)) && may_look();
    if (!on) set_looks(false);
    return on;
}

void IwarpChannel::keep_watch() {
    if (kept_watch_.exchange(true)) return;
    until_memory(
        [this] { pollers_->add(loop_, [self = Ref<IwarpChannel>(this)] { return self->find_idle_poller(); }); });
}

// The sources of crowds look after their pollers themselves.
bool IwarpChannel::needs_watch() const {
    if (in_crowd()) return left_work_.load();
    return attention_.load() != soft::Attention::asleep || unfinished_.load();
}

// From here on the loop watches the socket for its end alone: the crowd names arrivals to its poller, or to the service thread.
bool IwarpChannel::join(soft::Crowd& crowd, soft::Place place) {
    auto* source = static_cast<SocketSource*>(crowd.find(pollers_.get()));
    if (!source) {
        Ref<SocketSource> made = SocketSource::create(loop_, pollers_, crowd);
        if (!made) return false;
        source = made.get();
        crowd.add(pollers_.get(), std::move(made));
    }
    const Held lock(watch_mutex_);
    if (!watched_) return true;  // it has ended, and nothing arrives
    Membership& membership = memberships_[memberships_[0].source ? 1 : 0];
    if (!source->add(socket_.descriptor(), place)) return false;
    membership = {Ref<SocketSource>(source), place};
    crowds_.fetch_add(1, std::memory_order_relaxed);
    attention_.store(soft::Attention::polling);
    watch_as(soft::Attention::polling);
    return true;
}

void IwarpChannel::leave(soft::Crowd& crowd) {
    const soft::ReadySource* const source = crowd.find(pollers_.get());
    const Held lock(watch_mutex_);
    for (Membership& each : memberships_) {
        if (!each.source || each.source.get() != source) continue;
        if (watched_) each.source->remove(socket_.descriptor());
        each = {};
        if (crowds_.fetch_sub(1, std::memory_order_relaxed) != 1) continue;
        attention_.store(soft::Attention::asleep);
        watch_as(soft::Attention::asleep);
    }
}

// A thread polls each crowd of the channel.
bool IwarpChannel::is_polled_in_crowds() {
    const Held lock(watch_mutex_);
    return std::ranges::all_of(memberships_, [](const Membership& each) {
        return !each.source || each.source->attention() == soft::Attention::polling;
    });
}

// Octets and receipts wait for the next poll. False: no thread polls.
bool IwarpChannel::keep_in_crowds() {
    const Held lock(watch_mutex_);
    for (const Membership& each : memberships_)
        if (each.source) return each.source->keep(each.place);
    return false;
}

// A poller may stop silently; the service thread then takes over its unfinished work.
bool IwarpChannel::find_idle_poller() {
    if (closed_.load(std::memory_order_relaxed)) return false;
    const Ref<ChannelOwner> owner = this->owner();
    if (owner && receives_.load(std::memory_order_relaxed) == receives_seen_ && needs_watch()) {
        const bool was_polling = attention() == soft::Attention::polling;
        const std::uint32_t before = taken();
        owner->revisit();
        if (was_polling && taken() != before) owner->poller_left();
    }
    receives_seen_ = receives_.load(std::memory_order_relaxed);
    if (needs_watch()) return true;
    (void)kept_watch_.exchange(false);  // not a store: what a thread did before it found the watch kept is seen below
    return needs_watch() && !kept_watch_.exchange(true);
}

Ref<ChannelOwner> IwarpChannel::owner() {
    const Held lock(watch_mutex_);
    return owner_;
}

}  // namespace opennd::iwarp
