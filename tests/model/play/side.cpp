// SPDX-License-Identifier: MIT
//
// The beginning, results, grants and the end. side_operations.cpp has the operations.
#include "model/play/side.h"

#include <algorithm>
#include <functional>
#include <random>

#include "conformance/vocabulary/handshake.h"
#include "support/sanitizer.h"

namespace opennd::modeled {
namespace {

using namespace conformance;

constexpr std::uint32_t kNone = ~0u;  // no operation
constexpr std::uint32_t kOver = 100;  // behind all phases

}  // namespace

Side::Side(Driver& driver, const Program& program, unsigned index, Board& board)
    : program_(program),
      index_(index),
      other_(1 - index),
      board_(board),
      writer_(board.trails[index]),
      memory_(program.setting.memory[index], writer_),
      adapter_(driver.open_adapter()),
      pairs_(program.setting.pairs) {}

Side::~Side() = default;

void Side::play() {
    create();
    connect();
    reach(1);
    for (std::uint32_t i = 0; i < program_.operations.size(); ++i) {
        if (program_.operations[i].side != index_) continue;
        if (program_.operations[i].waits) wait_for_those_before(i);
        perform(i);
        board_.returned[i] = true;
        board_.bell.ring();
    }
    reach(2);
    quiesce();
    reach(3);
    program_.setting.abrupt[index_] ? leave() : finish();
    reach(4);
    if (!program_.setting.abrupt[index_]) look_at_areas();
    memory_.check(kNone);
    reach(5);
    let_go();
    memory_.check(kNone);
    writer_.add({.kind = EventKind::done, .operation = kNone});
    reach(6);
}

// ---- beginning and end ----------------------------------------------------------------------------------------------

void Side::create() {
    const Setting& setting = program_.setting;
    received_ = adapter_->create_completion_queue(setting.completion_depth);
    initiated_ = adapter_->create_completion_queue(setting.completion_depth);
    results_.emplace(*received_, *initiated_, setting.polled[index_]);
    for (unsigned region = 0; region < kRegions; ++region) {
        prepare(region, kNone);
        regions_[region] = registered(*adapter_, memory_.data() + slot_at(region, 0), kRegionBytes,
                                      rights_of(program_, index_, region));
        registered_[region] = true;
    }
    auto stale = registered(*adapter_, memory_.data(), kMemoryBytes, kAllRights);
    stale_token_ = stale->local_token();
    (void)stale->withdraw().wait(patience());
    for (Window& window : windows_) window.object = adapter_->create_memory_window();
    if (shares())
        shared_ = adapter_->create_shared_receive_queue({.depth = setting.receive_depth, .sge = most_pieces(setting)});
    for (unsigned pair = 0; pair < setting.pairs; ++pair) {
        const QueuePairOptions options{.receive_depth = setting.receive_depth,
                                       .initiator_depth = setting.initiator_depth,
                                       .receive_sge = most_pieces(setting),
                                       .initiator_sge = most_pieces(setting),
                                       .inline_bytes = 256,
                                       .context = pair};
        pairs_[pair].queue_pair = shares() ? adapter_->create_queue_pair(*received_, *initiated_, *shared_, options)
                                           : adapter_->create_queue_pair(*received_, *initiated_, options);
        pairs_[pair].connector = adapter_->create_connector();
    }
}

void Side::connect() {
    std::unique_ptr<Listener> listener;
    if (index_ == 1) {
        listener = listening(*adapter_);
        board_.listener = address_of(*listener);
        board_.listens = true;
        board_.bell.ring();
    } else if (!board_.bell.wait_until([&] { return board_.listens || board_.phase[other_] != 0; },
                                       patience_ns() * 3 / 2)) {
        throw std::runtime_error("nobody listens");
    }
    const auto need = [](Outcome outcome, const char* step) {
        if (outcome != Outcome::success) throw std::runtime_error(std::string(step) + ": " + name_of(outcome));
    };
    for (Pair& pair : pairs_) {
        if (index_ == 1) {
            need(listener->get_request(*pair.connector).wait(patience()), "GetConnectionRequest");
            need(pair.connector->accept(*pair.queue_pair, {}, {}).wait(patience()), "Accept");
        } else {
            need(pair.connector->bind(local_address()), "Bind");
            need(pair.connector->connect(*pair.queue_pair, board_.listener, {}, {}).wait(patience()), "Connect");
            need(pair.connector->complete_connect().wait(patience()), "CompleteConnect");
        }
    }
    board_.addresses[index_] = reinterpret_cast<std::uintptr_t>(memory_.data());
    for (unsigned area = 0; area < kRegions; ++area) publish_to_all(area);
    if (program_.setting.wire_may_break) may_end_all();
}

// Requests of a connection that has not ended complete by themselves: the prefix of each queue that has its counterpart at the
// peer. And this side gets the notice of each connection that the peer has ended.
void Side::quiesce() {
    const auto waits_for = [&](unsigned pair) {
        std::uint32_t index = 0;
        return (!board_.ended[pair] && !board_.dead[other_] && !finishes_alone(pair)) || untold(pair, index) != nullptr;
    };
    if (support::wait_until(
            [&] {
                take(16);
                for (unsigned pair = 0; pair < pairs_.size(); ++pair)
                    if (waits_for(pair)) return false;
                return true;
            },
            patience()))
        return;
    for (unsigned pair = 0; pair < pairs_.size(); ++pair) {
        if (!waits_for(pair)) continue;
        const auto& queue = pairs_[pair].initiators.empty() ? pairs_[pair].receives : pairs_[pair].initiators;
        std::uint32_t index = queue.empty() ? kNone : queue.front().operation;
        (void)untold(pair, index);
        stuck(index);
    }
}

std::uint32_t Side::matched(unsigned receiver, unsigned pair) const {
    const auto total = [](const auto& counts) {
        std::uint32_t sum = 0;
        for (const auto& count : counts) sum += count;
        return sum;
    };
    if (!program_.setting.shared_receives[receiver]) return board_.receives[receiver][pair];
    return total(board_.sends[1 - receiver]) <= total(board_.receives[receiver]) ? ~0u : 0;
}

// The peer's answers stand behind its message that waits for a receive: over TCP all of them, in shared memory those that are
// no copy, which may be any, else those to probes.
bool Side::finishes_alone(unsigned pair) const {
    const bool behind = is_behind(other_, pair);
    if (program_.setting.transport == "iwarp" && behind) return true;
    const std::uint32_t received_there = matched(other_, pair);
    for (const Outstanding& request : pairs_[pair].initiators) {
        const Operation& operation = program_.operations[request.operation];
        if (operation.kind == Kind::send && request.ordinal >= received_there) break;
        const bool may_be_answered = operation.length == 0 || program_.setting.transport == "shm";
        if (operation.kind == Kind::read && may_be_answered && behind) break;
        if (!operation.is_silent()) return false;
    }
    // Messages of the peer may wait for answers of this side.
    if (shares() || is_behind(index_, pair)) return true;
    return receives_done_[pair] >= std::min<std::uint32_t>(board_.sends[other_][pair], receives_[pair]);
}

// The peer has left, this side has not, and one that asked is not told.
const Operation* Side::untold(unsigned pair, std::uint32_t& index) const {
    const bool left = board_.left[other_][pair] || board_.dead[other_];
    if (!left || over_here_[pair] || is_behind(other_, pair)) return nullptr;
    for (const auto& [asked, operation] : pairs_[pair].ends)
        if (operation.now() == Outcome::pending) {
            index = asked;
            return &program_.operations[asked];
        }
    return nullptr;
}

void Side::finish() {
    for (unsigned pair = 0; pair < pairs_.size(); ++pair) {
        may_end(pair);
        if (!pairs_[pair].queue_pair) continue;
        Event call{.kind = EventKind::call, .operation = kNone, .pair = pair};
        const std::size_t at = writer_.add(call);
        writer_.at(at).outcome = pairs_[pair].queue_pair->flush();
        writer_.at(at).ended = now_ns();
    }
    results_->end_polling();
    (void)support::wait_until([&] { return take(16) == 0 && !outstanding_left(); }, patience());
    for (Pair& pair : pairs_)
        for (const conformance::Operation& each : pair.disconnects)
            if (each.wait(patience()) == Outcome::nothing_by_the_deadline) stuck(kNone);
    for (const Arm& each : arms_) {
        const Outcome outcome = each.due ? each.notify.wait(patience() / 2) : each.notify.now();
        if (each.due && outcome != Outcome::success && outcome != Outcome::canceled) stuck(each.operation);
        writer_.add({.kind = EventKind::notified, .operation = each.operation, .outcome = outcome});
    }
}

// Everything goes while requests are outstanding. No result is seen any more, and all memory is back: but in NDK, where closing
// is not waited for.
void Side::leave() {
    for (unsigned pair = 0; pair < pairs_.size(); ++pair) {
        may_end(pair);
        writer_.add({.kind = EventKind::call, .operation = kNone, .pair = pair});
    }
    for (unsigned area = 0; area < kAreas; ++area)
        if (granted_[area]) begin_revoking(area, kNone);
    let_go();
    if (!is("Ndk")) memory_.give_back_all();
}

void Side::look_at_areas() {
    for (unsigned area = 0; area < kAreas; ++area)
        if (granted_[area])
            writer_.add({.kind = EventKind::final, .operation = kNone, .area = area, .grant = grants_[area]},
                        memory_.area(area));
}

bool Side::outstanding_left() const {
    return std::any_of(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
        return !pair.receives.empty() ||
               std::any_of(pair.initiators.begin(), pair.initiators.end(),
                           [&](const auto& each) { return !program_.operations[each.operation].is_silent(); });
    });
}

// A region of version 1 with a window bound to it cannot go; an adapter goes last.
void Side::let_go() {
    results_.reset();
    std::vector<std::function<void()>> releases{[&] { received_.reset(); }, [&] { initiated_.reset(); },
                                                [&] { shared_.reset(); }};
    for (Pair& pair : pairs_) {
        releases.emplace_back([&] { pair.queue_pair.reset(); });
        releases.emplace_back([&] { pair.connector.reset(); });
    }
    releases.emplace_back([&] {
        for (Window& window : windows_) window.object.reset();
        if (is("Nd1"))
            for (auto& region : regions_) region.reset();
    });
    releases.emplace_back([&] { lost_.clear(); });
    if (!is("Nd1"))
        for (auto& region : regions_) releases.emplace_back([&] { region.reset(); });
    std::mt19937 random(program_.setting.teardown);
    std::shuffle(releases.begin(), releases.end(), random);
    for (const auto& release : releases) release();
}

void Side::reach(std::uint32_t phase) {
    board_.phase[index_] = phase;
    board_.bell.ring();
    if (!board_.bell.wait_until([&] { return board_.phase[other_] >= phase || board_.dead[other_]; },
                                3 * patience_ns()))
        throw std::runtime_error("the other side does not come to phase " + std::to_string(phase));
}

// ---- results --------------------------------------------------------------------------------------------------------

std::size_t Side::take(std::size_t most) {
    const std::vector<Completion> results = results_->take(most);
    for (const Completion& each : results) handle(each);
    return results.size();
}

void Side::handle(const Completion& completion) {
    const auto operation = static_cast<std::uint32_t>(completion.request - 1);
    Event event{.kind = EventKind::result,
                .operation = operation,
                .outcome = completion.outcome,
                .request = completion.kind,
                .bytes = completion.bytes,
                .pair = static_cast<std::uint32_t>(completion.queue_pair)};
    const bool known = completion.queue_pair < pairs_.size();
    const bool received = completion.kind == RequestKind::receive;
    if (!known) {
        writer_.add(event);
        return;
    }
    const auto pair = static_cast<unsigned>(completion.queue_pair);
    auto& queue = !received ? pairs_[pair].initiators : shares() ? shared_receives_ : pairs_[pair].receives;
    const auto it =
        std::find_if(queue.begin(), queue.end(), [&](const auto& each) { return each.operation == operation; });
    if (it == queue.end()) {
        writer_.add(event);
        return;
    }
    // Silent ones before it have succeeded.
    while (!received && queue.front().operation != operation &&
           program_.operations[queue.front().operation].is_silent()) {
        const Outstanding silent = queue.front();
        queue.pop_front();
        settle(pair, silent.operation, Outcome::success);
        Outstanding copy = silent;
        give_back(copy);
    }
    const auto found =
        std::find_if(queue.begin(), queue.end(), [&](const auto& each) { return each.operation == operation; });
    Outstanding request = *found;
    queue.erase(found);
    const bool brings = received || completion.kind == RequestKind::read;
    if (request.captured) {
        event.has_data = brings;
        event.at = request.at;
        event.length = request.length;
    } else if (brings && request.slot && !request.forfeited) {
        writer_.attach(event, memory_.slot(*request.slot).first(extent_of(request.pieces)));
    }
    writer_.add(event);
    give_back(request);
    if (received) {
        ++receives_done_[pair];
        if (completion.outcome == Outcome::success) see_writes(pair);
        note_due_arms(event, static_cast<std::uint32_t>(request.event));
    } else {
        settle(pair, operation, completion.outcome);
    }
}

// Updates the window of a Bind or Invalidate that is over.
void Side::settle(unsigned pair, std::uint32_t index, Outcome outcome) {
    const Operation& operation = program_.operations[index];
    if (operation.kind != Kind::bind && operation.kind != Kind::invalidate) return;
    Window& window = windows_[operation.object];
    const unsigned area = kRegions + operation.object;
    const bool succeeded = outcome == Outcome::success;
    if (operation.kind == Kind::bind) {
        if (window.state != WindowState::binding || window.request != index) return;
        window.state = succeeded ? WindowState::bound : WindowState::free;
        if (!succeeded) return revoke(area, index);
        writer_.add({.kind = EventKind::bound, .operation = index, .pair = pair, .area = area, .grant = grants_[area]});
        publish(area, pair, window.object->remote_token());
    } else if (window.state == WindowState::invalidating && window.request == index) {
        window.state = succeeded ? WindowState::free : WindowState::lost;
        if (succeeded) revoke(area, index);
    }
}

void Side::give_back(Outstanding& request) {
    if (request.slot) memory_.give_back(*request.slot);
    request.slot.reset();
}

// Everything of the pair is over, though its results were not taken yet: its memory is back (ND2-QP-FLUSH-05).
void Side::capture_all(unsigned pair) {
    for (auto* queue : {&pairs_[pair].initiators, &pairs_[pair].receives})
        for (Outstanding& request : *queue) {
            if (!request.slot) continue;
            Event held;
            writer_.attach(held, memory_.slot(*request.slot).first(extent_of(request.pieces)));
            request.at = held.at;
            request.length = held.length;
            request.captured = true;
            give_back(request);
        }
}

// A message has come: checks the bytes of the Writes that the peer posted before it (ND2-QP-POST-11).
void Side::see_writes(unsigned pair) {
    if (support::kThreadSanitizer) return;  // a Write that should not come would be a race to it
    for (std::uint32_t i = 0; i < program_.operations.size(); ++i) {
        const Operation& operation = program_.operations[i];
        if (operation.kind != Kind::write || operation.side == index_ || operation.pair != pair) continue;
        if (operation.length == 0 || operation.is_spoiled() || !granted_[operation.area]) continue;
        writer_.add({.kind = EventKind::seen,
                     .operation = i,
                     .pair = pair,
                     .area = operation.area,
                     .grant = grants_[operation.area]},
                    memory_.area(operation.area).subspan(operation.offset, operation.length));
    }
}

// An arm is due by a result of a request that was posted after it. An arm for errors alone is not.
void Side::note_due_arms(const Event& result, std::uint32_t posted_at) {
    if (is("Ndk")) return;  // a result that is taken first makes no callback (NDK-CQ-ARM-05)
    for (Arm& each : arms_) {
        const auto type = static_cast<NotifyType>(program_.operations[each.operation].object);
        const bool error = result.outcome != Outcome::success;
        if (posted_at < each.after) continue;
        each.due |= type == NotifyType::any || (error && (type == NotifyType::solicited || is("Nd1")));
    }
}

// ---- grants ---------------------------------------------------------------------------------------------------------

// Before the registration or the Bind that grants it: so the library orders the bytes before each access of the peer's.
void Side::prepare(unsigned area, std::uint32_t operation) {
    const std::uint32_t number = ++grants_[area];
    memory_.fill_area(area, area_seed(program_, index_, area, number), operation);
    granted_[area] = true;
    writer_.add({.kind = EventKind::granted, .operation = operation, .area = area, .grant = number});
}

void Side::publish_to_all(unsigned area) {
    for (unsigned pair = 0; pair < pairs_.size(); ++pair)
        if (pairs_[pair].queue_pair) publish(area, pair, pairs_[pair].queue_pair->grant(*regions_[area]));
}

void Side::publish(unsigned area, unsigned pair, std::uint32_t token) {
    board_.grants[index_][pair][area] = std::uint64_t{grants_[area]} << 32 | token;
}

void Side::begin_revoking(unsigned area, std::uint32_t operation) {
    may_end_all();
    writer_.add({.kind = EventKind::revoking, .operation = operation, .area = area, .grant = grants_[area]});
}

void Side::revoke(unsigned area, std::uint32_t operation) {
    for (auto& grants : board_.grants[index_]) grants[area] = 0;
    writer_.add({.kind = EventKind::revoked, .operation = operation, .area = area, .grant = grants_[area]},
                memory_.area(area));
    memory_.give_back_area(area);
    granted_[area] = false;
}

// ---- notes ----------------------------------------------------------------------------------------------------------

Event Side::begin(std::uint32_t index) const {
    return {.kind = EventKind::call, .operation = index, .pair = program_.operations[index].pair};
}

void Side::skip(std::uint32_t index) { writer_.add({.kind = EventKind::skipped, .operation = index}); }
void Side::stuck(std::uint32_t index) { writer_.add({.kind = EventKind::stuck, .operation = index}); }
void Side::may_end_all() {
    for (auto& each : board_.ended) each = true;
}

void play(conformance::Driver& driver, const Program& program, unsigned side, Board& board) {
    try {
        Side(driver, program, side, board).play();
    } catch (const std::exception& failure) {
        Writer(board.trails[side]).complain("side " + std::to_string(side) + ": " + failure.what() + '\n');
        board.phase[side] = kOver;
        board.bell.ring();
    }
}

}  // namespace opennd::modeled
