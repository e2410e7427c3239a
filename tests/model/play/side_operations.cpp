// SPDX-License-Identifier: MIT
//
// What each operation does.
#include <signal.h>

#include "conformance/vocabulary/endpoint.h"
#include "model/play/side.h"
#include "support/pattern.h"

namespace opennd::modeled {
namespace {

using namespace conformance;

constexpr std::uint32_t kNoSuchToken = 0x5A5A5A5A;

// Some operations that cannot succeed are tried all the same.
bool tries_its_luck(const Operation& operation) { return operation.id % 8 == 0; }

}  // namespace

void Side::wait_for_those_before(std::uint32_t index) {
    const bool came = board_.bell.wait_until(
        [&] {
            for (std::uint32_t i = 0; i < index; ++i)
                if (program_.operations[i].side != index_ && !board_.returned[i]) return board_.dead[other_].load();
            return true;
        },
        2 * patience_ns());
    if (!came) stuck(index);
}

void Side::perform(std::uint32_t index) {
    const Operation& operation = program_.operations[index];
    if (operation.pair >= pairs_.size()) return skip(index);
    switch (operation.kind) {
        case Kind::receive:
        case Kind::send:
        case Kind::write:
        case Kind::read: return post(index);
        case Kind::bind:
        case Kind::invalidate:
            if (!post_window(index)) skip(index);
            return;
        case Kind::poll: return (void)take(operation.length);
        case Kind::drain: return drain();
        case Kind::arm: return arm(index);
        case Kind::cancel: return received_->cancel();
        case Kind::resize: return resize(index);
        case Kind::modify: return modify(index);
        case Kind::await_end: return await_end(index);
        case Kind::flush: return flush(index);
        case Kind::disconnect: return disconnect(index);
        case Kind::release_queue_pair: return release_queue_pair(index);
        case Kind::release_connector: return release_connector(index);
        case Kind::withdraw: return withdraw(index);
        case Kind::enroll: return enroll(index);
        case Kind::release_window: return release_window(index);
        case Kind::kill: return kill(index);
    }
}

// ---- requests -------------------------------------------------------------------------------------------------------

void Side::post(std::uint32_t index) {
    const Operation& operation = program_.operations[index];
    Pair& pair = pairs_[operation.pair];
    const bool receives = operation.kind == Kind::receive, shared = receives && shares();
    if (shared ? !shared_ : !pair.queue_pair) return skip(index);
    if (operation.pieces != 0 && !registered_[operation.object] && !operation.has(kInline)) return skip(index);

    Outstanding request{.operation = index, .slot = std::nullopt, .pieces = pieces_of(program_, operation)};
    if (!request.pieces.empty()) {
        request.slot = memory_.lend(operation.object, index);
        if (!request.slot) {
            take(16);
            request.slot = memory_.lend(operation.object, index);
        }
        if (!request.slot) return skip(index);
        const auto slot = memory_.slot(*request.slot);
        support::fill_with(slot.first(extent_of(request.pieces)), kPrepared);
        std::vector<std::byte> message(operation.length);
        support::fill_pattern(message, bytes_seed(program_, operation));
        auto from = message.begin();
        if (operation.kind == Kind::send || operation.kind == Kind::write)
            for (const Piece& piece : request.pieces) {
                const auto to = from + static_cast<std::ptrdiff_t>(piece.length);
                std::copy(from, to, slot.begin() + static_cast<std::ptrdiff_t>(piece.at));
                from = to;
            }
    }
    if (operation.is_spoiled()) may_end(operation.pair);
    if (receives && (operation.length < kLongest || operation.is_spoiled()))
        shared ? may_end_all() : may_end(operation.pair);

    Event call = begin(index);
    if (operation.kind == Kind::send) request.ordinal = sends_[operation.pair];
    if (receives) request.ordinal = receives_[operation.pair];
    request.event = writer_.add(call);
    Event& noted = writer_.at(request.event);
    const Outcome outcome = post_transfer(noted, operation, request);
    noted.outcome = outcome;
    noted.ended = now_ns();
    if (operation.has(kInline) || outcome != Outcome::success) give_back(request);
    if (outcome != Outcome::success) return;
    if (operation.kind == Kind::send) board_.sends[index_][operation.pair] = ++sends_[operation.pair];
    if (receives) board_.receives[index_][operation.pair] = ++receives_[operation.pair];
    (shared ? shared_receives_ : receives ? pair.receives : pair.initiators).push_back(std::move(request));
}

Sge Side::entry_that_is_lost(std::span<const std::byte> bytes) {
    constexpr std::size_t kStays = 16 * 1024;
    constexpr support::Way kWays[] = {support::Way::unmapped, support::Way::protected_, support::Way::cut_short};
    Lost& lost = lost_.emplace_back(kWays[lost_.size() % std::size(kWays)], kStays + kLongest);
    lost.region = registered(*adapter_, lost.memory.data(), lost.memory.size(), kAllRights);
    const std::size_t kept = std::min(bytes.size() / 2, kStays);
    std::byte* const at = lost.memory.data() + kStays - kept;
    std::copy_n(bytes.begin(), kept, at);
    lost.memory.vanish(kStays);
    return {at, static_cast<std::uint32_t>(bytes.size()), lost.region->local_token()};
}

Outcome Side::post_transfer(Event& event, const Operation& operation, const Outstanding& request) {
    std::vector<Sge> sges;
    bool spoiled = operation.has(kInline);
    for (const Piece& piece : request.pieces) {
        Sge sge{memory_.slot(*request.slot).data() + piece.at, static_cast<std::uint32_t>(piece.length),
                regions_[operation.object] ? regions_[operation.object]->local_token() : 0};
        if (!spoiled && operation.is_spoiled_here() && piece.length != 0) {
            spoiled = true;
            if (operation.spoil == Spoil::stale) sge.token = stale_token_;
            if (operation.spoil == Spoil::outside) sge.buffer = memory_.data() + kMemoryBytes - piece.length + 1;
            if (operation.spoil == Spoil::absent)
                sge = entry_that_is_lost(memory_.slot(*request.slot).subspan(piece.at, piece.length));
        }
        sges.push_back(sge);
    }
    const Tag tag = Tag{static_cast<Tag>(&operation - program_.operations.data())} + 1;
    if (operation.kind == Kind::receive)
        return shares() ? shared_->receive(tag, sges) : pairs_[operation.pair].queue_pair->receive(tag, sges);
    QueuePair& queue_pair = *pairs_[operation.pair].queue_pair;
    if (operation.kind == Kind::send) return queue_pair.send(tag, sges, operation.flags);

    const unsigned granted_on = operation.spoil == Spoil::foreign ? 1 - operation.pair : operation.pair;
    const std::uint64_t grant = board_.grants[other_][granted_on][operation.area];
    event.area = operation.area;
    event.grant = static_cast<std::uint32_t>(grant >> 32);
    const unsigned rights = rights_of(program_, other_, operation.area % kRegions);
    const unsigned needed = operation.kind == Kind::read ? kRemoteRead : kRemoteWrite;
    if (event.grant == 0 || operation.area >= kRegions || (rights & needed) == 0) may_end(operation.pair);
    Remote remote{board_.addresses[other_] + area_at(operation.area) + operation.place(),
                  static_cast<std::uint32_t>(grant)};
    if (operation.spoil == Spoil::token) remote.token ^= kNoSuchToken;
    return operation.kind == Kind::read ? queue_pair.read(tag, sges, remote, operation.flags)
                                        : queue_pair.write(tag, sges, remote, operation.flags);
}

bool Side::post_window(std::uint32_t index) {
    const Operation& operation = program_.operations[index];
    Pair& pair = pairs_[operation.pair];
    Window& window = windows_[operation.object];
    const unsigned area = kRegions + operation.object;
    const bool binds = operation.kind == Kind::bind,
               bound_here = window.state == WindowState::bound && window.pair == operation.pair;
    if (!pair.queue_pair || !window.object) return false;
    if (binds && (window.state != WindowState::free || !registered_[operation.object])) return false;
    if (!binds && !bound_here && !(window.state == WindowState::free && tries_its_luck(operation))) return false;
    if (binds) prepare(area, index);
    if (!binds) may_end_all();
    if (bound_here && !binds) begin_revoking(area, index);

    Outstanding request{.operation = index, .slot = std::nullopt, .pieces = {}};
    request.event = writer_.add(begin(index));
    Event& noted = writer_.at(request.event);
    const Tag tag = Tag{index} + 1;
    noted.area = area;
    noted.grant = bound_here || binds ? grants_[area] : 0;
    noted.outcome = binds ? pair.queue_pair->bind(tag, *regions_[operation.object], *window.object,
                                                  memory_.area(area).data(), kAreaBytes, operation.flags)
                          : pair.queue_pair->invalidate(tag, *window.object, operation.flags);
    noted.ended = now_ns();
    const bool accepted = noted.outcome == Outcome::success;
    if (!accepted && binds) {
        revoke(area, index);
    } else if (accepted) {
        if (binds || bound_here) window.state = binds ? WindowState::binding : WindowState::invalidating;
        window.pair = operation.pair;
        window.request = index;
        pair.initiators.push_back(std::move(request));
    }
    return true;
}

// ---- queues ---------------------------------------------------------------------------------------------------------

void Side::arm(std::uint32_t index) {
    const std::size_t at = writer_.add(begin(index));
    conformance::Operation notify = received_->notify(static_cast<NotifyType>(program_.operations[index].object % 3));
    writer_.at(at).outcome = notify.begun();
    writer_.at(at).ended = now_ns();
    arms_.push_back({index, std::move(notify), board_.trails[index_].count, false});
}

void Side::resize(std::uint32_t index) {
    for (CompletionQueue* queue : {received_.get(), initiated_.get()}) {
        const std::size_t at = writer_.add(begin(index));
        writer_.at(at).outcome = queue->resize(program_.operations[index].length);
        writer_.at(at).ended = now_ns();
    }
}

void Side::modify(std::uint32_t index) {
    if (!shared_) return skip(index);
    const std::size_t at = writer_.add(begin(index));
    writer_.at(at).outcome = shared_->modify(program_.operations[index].length, 0);
    writer_.at(at).ended = now_ns();
}

void Side::await_end(std::uint32_t index) {
    Pair& pair = pairs_[program_.operations[index].pair];
    if (!pair.connector || !pair.queue_pair) return skip(index);
    const std::size_t at = writer_.add(begin(index));
    conformance::Operation notify = pair.connector->notify_disconnect();
    writer_.at(at).outcome = notify.begun();
    writer_.at(at).ended = now_ns();
    if (notify.begun() == Outcome::pending) pair.ends.emplace_back(index, std::move(notify));
}

// For a while, as long as something comes.
void Side::drain() {
    auto last = support::Clock::now();
    while (outstanding_left() && support::Clock::now() - last < milliseconds{5})
        if (take(16) != 0)
            last = support::Clock::now();
        else
            std::this_thread::yield();
}

// ---- endings --------------------------------------------------------------------------------------------------------

void Side::flush(std::uint32_t index) {
    const unsigned pair = program_.operations[index].pair;
    if (!pairs_[pair].queue_pair) return skip(index);
    may_end(pair);
    const std::size_t at = writer_.add(begin(index));
    writer_.at(at).outcome = pairs_[pair].queue_pair->flush();
    writer_.at(at).ended = now_ns();
    over_here_[pair] = true;
    if (!is("Ndk")) capture_all(pair);  // there it is not waited for (NDK-QP-FLUSH-01)
}

// NDK lets requests run out first (NDK-CON-DISC-01), which may be never: it ends with the connection.
void Side::disconnect(std::uint32_t index) {
    const unsigned pair = program_.operations[index].pair;
    if (!pairs_[pair].connector) return skip(index);
    may_end(pair);
    const std::size_t at = writer_.add(begin(index));
    conformance::Operation operation = pairs_[pair].connector->disconnect();
    const Outcome outcome = operation.wait(milliseconds{100});
    writer_.at(at).outcome = outcome;
    writer_.at(at).ended = now_ns();
    over_here_[pair] = true;
    board_.left[index_][pair] = outcome == Outcome::success;
    if (outcome == Outcome::success && is("Nd2")) capture_all(pair);
    if (operation.begun() == Outcome::pending) pairs_[pair].disconnects.push_back(std::move(operation));
}

void Side::release_queue_pair(std::uint32_t index) {
    const unsigned pair = program_.operations[index].pair;
    // One of NDK stays as long as its connector (NDK-QP-CLOSE-01), and closing it is not waited for.
    if (!pairs_[pair].queue_pair || is("Ndk")) return skip(index);
    may_end(pair);
    for (unsigned each = 0; each < kWindows; ++each)
        if (windows_[each].pair == pair && windows_[each].state != WindowState::free)
            begin_revoking(kRegions + each, index);
    const std::size_t at = writer_.add(begin(index));
    pairs_[pair].queue_pair.reset();
    writer_.at(at).outcome = Outcome::success;
    writer_.at(at).ended = now_ns();
    over_here_[pair] = board_.left[index_][pair] = true;
    capture_all(pair);
    for (unsigned each = 0; each < kWindows; ++each) {
        Window& window = windows_[each];
        if (window.pair != pair || window.state == WindowState::free) continue;
        window.state = WindowState::free;
        revoke(kRegions + each, index);
    }
}

void Side::release_connector(std::uint32_t index) {
    const unsigned pair = program_.operations[index].pair;
    if (!pairs_[pair].connector) return skip(index);
    may_end(pair);
    const std::size_t at = writer_.add(begin(index));
    pairs_[pair].connector.reset();
    writer_.at(at).outcome = Outcome::success;
    writer_.at(at).ended = now_ns();
    over_here_[pair] = true;
}

void Side::kill(std::uint32_t index) {
    if (program_.setting.processes != 2) return skip(index);
    may_end_all();
    const std::size_t at = writer_.add(begin(index));
    ::kill(board_.process[other_], SIGKILL);
    writer_.at(at).outcome = Outcome::success;
    writer_.at(at).ended = now_ns();
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// Requests of this side that lie in the region lose their memory: they succeed, or they fail (ND2-MR-DEREG-03).
void Side::withdraw(std::uint32_t index) {
    const unsigned region = program_.operations[index].object;
    if (!registered_[region]) return skip(index);
    const bool busy_allowed = windows_[region].state != WindowState::free;
    if (busy_allowed && is("Nd1")) return skip(index);
    begin_revoking(region, index);
    const std::size_t at = writer_.add(begin(index));
    const Outcome outcome = regions_[region]->withdraw().wait(patience());
    writer_.at(at).outcome = outcome;
    writer_.at(at).ended = now_ns();
    if (outcome != Outcome::success) return;
    registered_[region] = false;
    if (granted_[region]) revoke(region, index);
    const auto forfeit = [&](Outstanding& request) {
        if (!request.slot || request.slot->region != region) return;
        request.forfeited = true;
        give_back(request);
    };
    for (Pair& pair : pairs_)
        for (auto* queue : {&pair.initiators, &pair.receives})
            for (Outstanding& request : *queue) forfeit(request);
    for (Outstanding& request : shared_receives_) forfeit(request);
}

void Side::enroll(std::uint32_t index) {
    const unsigned region = program_.operations[index].object;
    if (registered_[region]) return skip(index);
    const bool grants = !is("Nd1");  // where a grant is a request of a connection that may be over
    if (grants) prepare(region, index);
    const std::size_t at = writer_.add(begin(index));
    const Outcome outcome =
        regions_[region]
            ->enroll(memory_.data() + slot_at(region, 0), kRegionBytes, rights_of(program_, index_, region))
            .wait(patience());
    writer_.at(at).outcome = outcome;
    writer_.at(at).ended = now_ns();
    if (outcome != Outcome::success) {
        if (grants) revoke(region, index);
        return;
    }
    registered_[region] = true;
    if (grants) publish_to_all(region);
}

void Side::release_window(std::uint32_t index) {
    Window& window = windows_[program_.operations[index].object];
    const unsigned area = kRegions + program_.operations[index].object;
    const bool bound = window.state == WindowState::bound || window.state == WindowState::lost;
    // A close of NDK is not waited for.
    if (is("Ndk") || (!bound && window.state != WindowState::free)) return skip(index);
    if (bound) begin_revoking(area, index);
    const std::size_t at = writer_.add(begin(index));
    window.object.reset();
    writer_.at(at).outcome = Outcome::success;
    writer_.at(at).ended = now_ns();
    if (bound) revoke(area, index);
    window.object = adapter_->create_memory_window();
    window.state = WindowState::free;
}

}  // namespace opennd::modeled
