// SPDX-License-Identifier: MIT
//
// The rules, one function each. Read history.h first.
#include "model/oracle/oracle.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "model/oracle/fate.h"
#include "model/oracle/history.h"
#include "support/pattern.h"

namespace opennd::modeled {
namespace {

using namespace conformance;

std::vector<std::byte> pattern(std::uint64_t seed, std::size_t length) {
    std::vector<std::byte> bytes(length);
    support::fill_pattern(bytes, seed);
    return bytes;
}

class Oracle {
public:
    Oracle(const Program& program, const Board& board)
        : program_(program), history_(program, board), fates_(program, history_) {}

    Judgement run() {
        for (unsigned side = 0; side < kSides; ++side) {
            for (const Order& each : history_.disorder())
                if (side == 0) add(each.wrong, each.result->operation, name_of(each.result->outcome));
            check_events(side);
            check_calls(side);
            for (unsigned pair = 0; pair < program_.setting.pairs; ++pair) {
                check_initiators(side, pair);
                check_receives(side, pair);
                check_causes(side, pair);
                check_messages(side, pair);
            }
        }
        for (unsigned side = 0; side < kSides; ++side)
            if (const std::string_view complaints = history_.complaints(side); !complaints.empty())
                add("a driver or side complains", kNoOperation, std::string(complaints));
        return std::move(judgement_);
    }

private:
    void add(const std::string& rule, std::uint32_t operation, const std::string& told = "") {
        std::ostringstream text;
        text << rule;
        if (!told.empty()) text << ": " << told;
        if (operation < program_.operations.size()) text << " [" << text_of(program_.operations[operation]) << ']';
        judgement_.findings.push_back({rule, text.str(), operation});
    }

    // A canceled request has no effect: but not over TCP, which takes nothing back, and not if Writes go in parts.
    bool takes_back() const { return program_.setting.transport != "iwarp" && program_.setting.world != World::frames; }

    // ---- queues -----------------------------------------------------------------------------------------------------

    void check_initiators(unsigned side, unsigned pair) {
        const Request* failed = nullptr;  // the first that did not succeed, but for those that others may overtake
        const Request* failed_read = nullptr;
        for (const Request& request : history_.initiators(side, pair)) {
            if (!request.outcome) {
                if (history_.is_complete(side)) add("a request has no result", request.index);
                continue;
            }
            ++judgement_.requests;
            check_outcome(request, pair);
            if (request.succeeded() && failed != nullptr) succeeded_behind(*failed, request);
            if (request.succeeded() && failed_read != nullptr && !may_overtake(request, *failed_read))
                succeeded_behind(*failed_read, request);
            const bool reads = request.operation->kind == Kind::read;
            const bool overtaken = reads || (failed_read != nullptr && leaves_no_trace(request));
            const Request*& first = overtaken ? failed_read : failed;
            if (!request.succeeded() && first == nullptr) first = &request;
            if (request.succeeded() && reads) check_read(request);
        }
    }

    // The first failure stops all requests behind it (ND2-QP-ERR-01).
    void succeeded_behind(const Request& failed, const Request& request) {
        add("a request succeeded behind one that failed", request.index,
            "behind " + text_of(*failed.operation) + ": " + name_of(*failed.outcome));
    }

    // A Read waits for its answer while later requests go on: what the peer took of those has succeeded, whatever becomes of the
    // Read (ND2-QP-ERR-02). One that fails on this side stops them at once, and so does one that the peer refuses, unless it put the
    // Read off because it waited for answers itself, which is how shared memory does without a copy.
    bool may_overtake(const Request& request, const Request& read) const {
        const Operation& operation = *request.operation;
        if (operation.has(kReadFence) || read.operation->is_spoiled_here() || leaves_no_trace(request)) return false;
        return fates_.of(read) != Fate::must_fail || program_.setting.transport == "shm";
    }

    // The peer knows nothing of it.
    bool leaves_no_trace(const Request& request) const {
        const Kind kind = request.operation->kind;
        if (kind == Kind::bind || kind == Kind::invalidate) return true;
        return kind == Kind::write && request.length() == 0 && program_.setting.transport != "iwarp";
    }

    // The first failure of a queue pair is told, and each later one is canceled, be it a request or a receive (ND2-QP-ERR-01).
    void check_causes(unsigned side, unsigned pair) {
        const Event* first = nullptr;
        for (const Event& event : history_.events(side)) {
            if (event.kind != EventKind::result || event.pair != pair) continue;
            if (event.outcome == Outcome::success || event.outcome == Outcome::canceled) continue;
            if (first != nullptr)
                add("a second failure of a queue pair has a cause", event.operation,
                    std::string(name_of(event.outcome)) + " beside " + name_of(first->outcome));
            first = &event;
        }
    }

    void check_outcome(const Request& request, unsigned pair) {
        const Fate what = fates_.of(request);
        const Outcome outcome = *request.outcome;
        const Kind kind = request.operation->kind;
        const bool ended = fates_.may_have_ended(pair, request.over, request.index);
        const bool waited_too_long = kind == Kind::send && request.over - request.begun > fates_.grace_ns();
        const bool fails = what != Fate::sound || waited_too_long;
        const auto wrong = [&](const char* rule) { add(rule, request.index, name_of(outcome)); };
        switch (outcome) {
            case Outcome::success:
                if (what == Fate::must_fail && !may_succeed_early(request)) wrong("a request succeeded that cannot");
                return;
            case Outcome::canceled:
                if (ended || (fails && may_lose_its_answer(request, pair))) return;
                return wrong(fails ? "a request that fails is canceled, and nothing tells the cause"
                                   : "a request is canceled though nothing ended its connection");
            case Outcome::access_violation:
                // The grants of version 1 are windows, which end with their endpoint (ND1-MW-09).
                if (ended && program_.setting.face == "Nd1" && (kind == Kind::read || kind == Kind::write)) return;
                if (what == Fate::sound || kind == Kind::invalidate) wrong("a request failed that should not");
                return;
            case Outcome::invalid_request:
                if (kind != Kind::invalidate || what == Fate::sound) wrong("a request failed that should not");
                return;
            case Outcome::data_error:
                if (kind != Kind::send || !ended) wrong("a request failed that should not");
                return;
            case Outcome::io_timeout:
                if (!may_time_out(request, ended)) wrong("a request timed out that had no time to");
                return;
            default: return wrong("a status that no rule allows");
        }
    }

    // Version 1 and NDK time out as well when their connection is lost (ND1-EP-GEN-22), which over TCP an end may look like.
    bool may_time_out(const Request& request, bool ended) const {
        if (request.over - request.begun >= fates_.grace_ns() || fates_.may_be_refused_early(request)) return true;
        const Setting& setting = program_.setting;
        if (setting.face == "Nd2") return ended && fates_.may_have_lost_its_peer();
        return ended && (setting.transport == "iwarp" || fates_.may_be_lost(request));
    }

    // After the other's end NDK continues over TCP: a message then completes when the stream has taken it (NDK-QP-SEND-02).
    bool may_succeed_early(const Request& request) const {
        return program_.setting.face == "Ndk" && program_.setting.transport == "iwarp" &&
               fates_.other_may_have_ended(request);
    }

    // The answer stands behind the peer's messages, which nobody may have received; within a process there is none.
    bool may_lose_its_answer(const Request& request, unsigned pair) const {
        const std::vector<const Request*> sends = history_.sends(1 - request.side, pair);
        return program_.setting.transport != "loopback" &&
               std::any_of(sends.begin(), sends.end(), [](const Request* send) { return !send->succeeded(); });
    }

    void check_receives(unsigned side, unsigned pair) {
        const bool shared = history_.shares(side);
        if (shared && pair != 0) return;
        const Request* failed = nullptr;
        for (const Request& request : history_.receives(side, pair)) {
            if (!request.outcome) {
                if (history_.is_complete(side) && !shared) add("a receive has no result", request.index);
                continue;
            }
            ++judgement_.requests;
            const unsigned of = request.result->pair;
            const auto wrong = [&](const char* rule) { add(rule, request.index, name_of(*request.outcome)); };
            switch (*request.outcome) {
                case Outcome::success:
                    if (fates_.of(request) == Fate::must_fail) wrong("a receive succeeded that cannot");
                    if (failed != nullptr && !shared) wrong("a receive succeeded behind one that failed");
                    break;
                case Outcome::canceled:
                    if (!fates_.may_have_ended(of, request.over, kNoOperation - 1))
                        wrong("a receive is canceled though nothing ended its connection");
                    break;
                case Outcome::access_violation:
                    if (fates_.of(request) == Fate::sound) wrong("a receive failed that should not");
                    break;
                case Outcome::data_overrun:
                    if (!fates_.may_have_ended(of, request.over, kNoOperation - 1))
                        wrong("a receive failed that should not");
                    break;
                default: wrong("a status that no rule allows");
            }
            if (!request.succeeded() && failed == nullptr) failed = &request;
        }
    }

    // ---- messages ---------------------------------------------------------------------------------------------------

    // The receiver got the sender's messages, in order, and no other; and both sides report the same.
    void check_messages(unsigned sender, unsigned pair) {
        const unsigned receiver = 1 - sender;
        const std::vector<const Request*> sends = history_.sends(sender, pair);
        std::size_t count = 0;
        for (const Event& event : history_.events(receiver)) {
            if (event.kind == EventKind::seen && event.pair == pair && count != 0 && count <= sends.size())
                check_seen(event, *sends[count - 1]);
            if (event.kind != EventKind::result || event.request != RequestKind::receive || event.pair != pair ||
                event.outcome != Outcome::success)
                continue;
            if (count++ >= sends.size()) {
                add("a message that nobody sent", event.operation);
                continue;
            }
            check_message(event, *sends[count - 1]);
        }
        if (!history_.is_complete(receiver)) return;
        for (; count < sends.size(); ++count)
            if (sends[count]->succeeded() && !may_succeed_early(*sends[count]))
                add("a Send succeeded, and its message was not received", sends[count]->index);
    }

    void check_message(const Event& event, const Request& send) {
        if (event.bytes != send.length())
            return add("a message of another length", event.operation,
                       std::to_string(event.bytes) + " instead of " + std::to_string(send.length()));
        const Operation& receive = program_.operations[event.operation];
        if (event.has_data)
            check_brought(event, receive, 1 - send.side, pattern(bytes_seed(program_, *send.operation), send.length()),
                          "a message has other bytes than its Send");
        if (fates_.of(send) == Fate::must_fail) add("a message was received whose Send cannot succeed", send.index);
        for (const Request& request : history_.initiators(send.side, send.operation->pair)) {
            if (&request == &send) break;
            if (fates_.of(request) != Fate::must_fail) continue;
            add("a message was received that is behind a request that fails", send.index, text_of(*request.operation));
            break;
        }
        if (send.outcome && !send.succeeded() && takes_back())
            add("a message was received that its sender was told is not delivered", send.index, name_of(*send.outcome));
    }

    // The pieces of a receive or Read hold `expected`, and everything else of the slot is as it was.
    void check_brought(const Event& event, const Operation& operation, unsigned side,
                       const std::vector<std::byte>& expected, const char* rule) {
        const auto slot = history_.data(side, event);
        std::vector<std::byte> whole(slot.size(), kPrepared);
        std::size_t done = 0;
        for (const Piece& piece : pieces_of(program_, operation)) {
            const std::size_t length = std::min(piece.length, expected.size() - done);
            std::copy_n(expected.data() + done, length, whole.data() + piece.at);
            done += length;
        }
        judgement_.bytes += expected.size();
        compare(slot, whole, event.operation, rule);
    }

    void compare(std::span<const std::byte> actual, std::span<const std::byte> expected, std::uint32_t operation,
                 const char* rule) {
        const auto [at, wanted] = std::mismatch(actual.begin(), actual.end(), expected.begin(), expected.end());
        if (at == actual.end()) return;
        std::ostringstream text;
        text << "byte " << at - actual.begin() << " of " << actual.size() << " is " << std::hex << static_cast<int>(*at)
             << ", not " << static_cast<int>(*wanted);
        if (*at == kReturned) text << ": what its program wrote when it had the memory back";
        add(rule, operation, text.str());
    }

    // ---- memory of the peer -----------------------------------------------------------------------------------------

    struct Placed {
        const Request* write;
        std::size_t position;  // in its queue
    };

    std::vector<Placed> writes_to(unsigned owner, unsigned area, std::uint32_t grant) const {
        std::vector<Placed> writes;
        for (unsigned pair = 0; pair < program_.setting.pairs; ++pair) {
            const auto& queue = history_.initiators(1 - owner, pair);
            for (std::size_t i = 0; i < queue.size(); ++i) {
                const Operation& operation = *queue[i].operation;
                if (operation.kind == Kind::write && operation.area == area && operation.length != 0 &&
                    queue[i].call->grant == grant)
                    writes.push_back({&queue[i], i});
            }
        }
        return writes;
    }

    // The most octets that a wire without octets in order places at once (local::kMostPayload).
    static constexpr std::size_t kPartBytes = 16 * 1024;
    // The effect of a Write on its place, as far as results and order determine it.
    enum class Effect { none, all, some, unfinished };

    Effect effect_of(const Placed& placed) const {
        const Request& write = *placed.write;
        // A wire that places parts as they come may have placed the granted part (ND2-QP-RDMA-03).
        if (write.operation->spoil == Spoil::beyond && !takes_back()) return Effect::some;
        // Memory that is gone is met in the middle of the copy.
        if (write.operation->spoil == Spoil::absent) return Effect::some;
        if (fates_.of(write) == Fate::must_fail) return Effect::none;
        if (write.succeeded()) return may_succeed_early(write) ? Effect::some : Effect::all;
        const auto& queue = history_.initiators(write.side, write.operation->pair);
        for (std::size_t i = 0; i < placed.position; ++i)
            if (fates_.of(queue[i]) == Fate::must_fail) return Effect::none;
        return write.is_canceled() && takes_back() ? Effect::unfinished : Effect::some;
    }

    void check_place(std::span<const std::byte> actual, std::span<const std::byte> before, const Request& write,
                     Effect effect) {
        const auto brought = pattern(bytes_seed(program_, *write.operation), actual.size());
        judgement_.bytes += brought.size();
        if (effect == Effect::all) return compare(actual, brought, write.index, "a Write succeeded and is not there");
        if (effect == Effect::none) return compare(actual, before, write.index, "a Write that is not done was done");
        // Memory that is not mapped yet is written in parts, of which some may be placed when the rest is taken back.
        if (const std::size_t last = (actual.size() - 1) % kPartBytes + 1; effect == Effect::unfinished)
            compare(actual.last(last), before.last(last), write.index, "a canceled Write was done to its end");
        for (std::size_t i = 0; i < actual.size(); ++i)
            if (actual[i] != before[i] && actual[i] != brought[i])
                return add("a Write brought other bytes than were posted", write.index, "byte " + std::to_string(i));
    }

    void check_area(unsigned owner, const Event& event) {
        const auto actual = history_.data(owner, event);
        std::vector<std::byte> expected = pattern(area_seed(program_, owner, event.area, event.grant), kAreaBytes);
        for (const Placed& placed : writes_to(owner, event.area, event.grant)) {
            const Operation& operation = *placed.write->operation;
            const std::size_t length = std::min<std::size_t>(operation.length, kAreaBytes - operation.place());
            const auto place = actual.subspan(operation.place(), length);
            const auto before = std::span(expected).subspan(operation.place(), length);
            check_place(place, before, *placed.write, effect_of(placed));
            std::copy(place.begin(), place.end(), before.begin());
        }
        compare(actual, expected, event.operation, "memory was written that no Write names");
    }

    // When a message is received, earlier Writes of its sender are placed (ND2-QP-POST-11).
    void check_seen(const Event& event, const Request& send) {
        const auto& queue = history_.initiators(send.side, send.operation->pair);
        for (std::size_t i = 0; i < queue.size() && &queue[i] != &send; ++i)
            if (queue[i].index == event.operation && queue[i].call->grant == event.grant && !queue[i].failed())
                compare(history_.data(1 - send.side, event),
                        pattern(bytes_seed(program_, *queue[i].operation), queue[i].length()), event.operation,
                        "a message came before what was written ahead of it");
    }

    // A Read brings the content of its place: the owner's bytes, those of earlier Writes, and those of Writes at the same time,
    // byte by byte.
    void check_read(const Request& read) {
        const Operation& operation = *read.operation;
        if (operation.length == 0 || read.result == nullptr || !read.result->has_data) return;
        const unsigned owner = 1 - read.side;
        auto expected = pattern(area_seed(program_, owner, operation.area, read.call->grant), kAreaBytes);
        auto actual = gathered(read);
        const auto& queue = history_.initiators(read.side, operation.pair);
        const auto position = static_cast<std::size_t>(&read - queue.data());
        for (const Placed& placed : writes_to(owner, operation.area, read.call->grant)) {
            const Request& write = *placed.write;
            const bool same = write.operation->pair == operation.pair;
            const bool before = same ? placed.position < position : write.succeeded() && write.over < read.begun;
            const bool after =
                same ? placed.position > position && write.operation->has(kReadFence) : write.begun > read.over;
            if (after || effect_of(placed) == Effect::none || write.operation->is_spoiled()) continue;
            const auto brought = pattern(bytes_seed(program_, *write.operation), write.length());
            for (std::size_t i = 0; i < brought.size(); ++i) {
                const std::size_t at = write.operation->offset + i;
                const bool read_here = at >= operation.offset && at < operation.offset + operation.length;
                if (before || (read_here && actual[at - operation.offset] == brought[i])) expected[at] = brought[i];
            }
        }
        const auto first = expected.begin() + operation.offset;
        check_brought(*read.result, operation, read.side, {first, first + operation.length},
                      "a Read brought other bytes than lay there");
    }

    std::vector<std::byte> gathered(const Request& read) const {
        std::vector<std::byte> bytes;
        const auto slot = history_.data(read.side, *read.result);
        for (const Piece& piece : pieces_of(program_, *read.operation))
            bytes.insert(bytes.end(), slot.begin() + static_cast<std::ptrdiff_t>(piece.at),
                         slot.begin() + static_cast<std::ptrdiff_t>(piece.at + piece.length));
        return bytes;
    }

    // ---- calls ------------------------------------------------------------------------------------------------------

    void check_events(unsigned side) {
        for (const Event& event : history_.events(side)) {
            if (event.kind == EventKind::damaged)
                add("memory was written that its program had back", event.operation,
                    "at byte " + std::to_string(event.bytes));
            if (event.kind == EventKind::stuck)
                add("what must come did not come", event.operation, "side " + std::to_string(side));
            if (event.kind == EventKind::revoked || event.kind == EventKind::final) check_area(side, event);
        }
    }

    // How many slots of each queue are taken for sure.
    void check_calls(unsigned side) {
        std::uint32_t initiators[kMostPairs] = {}, receives[kMostPairs] = {};
        std::uint32_t receive_depth = program_.setting.receive_depth;
        for (const Event& event : history_.events(side)) {
            if (event.operation >= program_.operations.size()) continue;
            const Operation& operation = program_.operations[event.operation];
            std::uint32_t& taken = operation.is_initiator() ? initiators[operation.pair]
                                                            : receives[history_.shares(side) ? 0 : operation.pair];
            const bool counts = operation.is_request() && !operation.is_silent();
            if (event.kind == EventKind::result && counts && taken != 0) --taken;
            if (event.kind != EventKind::call || event.ended == 0) continue;
            if (!operation.is_request()) {
                check_control(event, operation);
                if (operation.kind == Kind::modify && event.outcome == Outcome::success)
                    receive_depth = operation.length;
                continue;
            }
            check_post(event, operation, taken,
                       operation.is_initiator() ? program_.setting.initiator_depth : receive_depth);
            if (event.outcome == Outcome::success && counts) ++taken;
        }
    }

    void check_post(const Event& event, const Operation& operation, std::uint32_t taken, std::uint32_t limit) {
        const bool polled =
            program_.setting.polled[operation.side];  // then some are free that the side knows nothing of
        const bool initiator = operation.is_initiator();
        const std::string& face = program_.setting.face;
        const auto wrong = [&](const char* rule) { add(rule, event.operation, name_of(event.outcome)); };
        switch (event.outcome) {
            case Outcome::success:
                if (taken >= limit && face != "Ndk" && !polled) wrong("more requests fit than the queue is deep");
                return;
            case Outcome::no_more_entries:
                if (taken + (initiator && face == "Nd1" ? kRegions : 0) < limit && !(initiator && uses_silence()))
                    wrong("a queue is full that is not");
                return;
            case Outcome::connection_invalid:
                if (face == "Nd2" || !initiator ||
                    !fates_.may_have_ended(operation.pair, event.ended, kNoOperation - 1))
                    wrong("a request is refused that should not be");
                return;
            default: return wrong("a request is refused that should not be");
        }
    }

    bool uses_silence() const {
        return std::any_of(program_.operations.begin(), program_.operations.end(),
                           [](const Operation& operation) { return operation.is_silent(); });
    }

    void check_control(const Event& event, const Operation& operation) {
        const auto allowed = [&](std::initializer_list<Outcome> outcomes) {
            if (std::find(outcomes.begin(), outcomes.end(), event.outcome) == outcomes.end())
                add("a status that no rule allows", event.operation, name_of(event.outcome));
        };
        switch (operation.kind) {
            case Kind::arm: return allowed({Outcome::pending, Outcome::success});
            case Kind::await_end:
                return allowed({Outcome::pending, Outcome::success, Outcome::connection_invalid, Outcome::invalid_state,
                                Outcome::connection_disconnected});
            case Kind::modify:
            case Kind::resize: return allowed({Outcome::success, Outcome::buffer_overflow, Outcome::invalid_parameter});
            case Kind::withdraw: return allowed({Outcome::success, Outcome::device_busy});
            case Kind::disconnect:
                return allowed({Outcome::success, Outcome::nothing_by_the_deadline, Outcome::connection_invalid,
                                Outcome::connection_disconnected, Outcome::connection_aborted, Outcome::io_timeout,
                                Outcome::invalid_state});
            default: return allowed({Outcome::success});
        }
    }

    const Program& program_;
    const History history_;
    const Fates fates_;
    Judgement judgement_;
};

}  // namespace

Judgement judge(const Program& program, const Board& board) { return Oracle(program, board).run(); }

}  // namespace opennd::modeled
