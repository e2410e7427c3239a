// SPDX-License-Identifier: MIT
// Inbound: the answers to the peer's Reads, and the ends of a stream, by a fault of the peer, by its Terminate, or by this side. Short
// answers leave together, at the end of receive(), and before a Terminate.
#include <chrono>
#include <string_view>

#include "base/explanation.h"
#include "base/log.h"
#include "transport/iwarp/inbound.h"

namespace opennd::iwarp {
namespace {

// Parts of one receive(), before the turn of arrivals and of other connections (IW-PERF-05, IW-SEC-18).
constexpr int kPartsAtOnce = 8;

// A Terminate waits for the answers before it while the peer acknowledges an octet in this time.
constexpr std::chrono::seconds kAnswerPatience{1};

}  // namespace

void Inbound::answer_reads(soft::ReceiveTurn& turn) {
    // A side that has ended its direction of the stream drops the Reads of its peer.
    if (outlet_.has_ended()) [[unlikely]] {
        while (owes_answers()) finish_answer();
        return;
    }
    for (int part = 0; part < kPartsAtOnce && owes_answers(); ++part) {
        const ReadRequest& request = questions_.front().request;
        const bool lengthy = !declining_ && request.size > soft::kLongCopyBytes;
        if (lengthy) turn.begin_long_copy();
        const Outbound::Answered answered = outbound_.answer_part(request);
        if (answered == Outbound::Answered::whole) finish_answer();
        if (lengthy) turn.end_long_copy();
        if (answered ==
            Outbound::Answered::withdrawn)  // since it was checked, or since the last part (IW-RDMAP-29, IW-SEC-24)
            return refuse_answer({FaultKind::read_stag_unknown, value(request.source)});
        if (answered == Outbound::Answered::nothing) return;
        stream_.count_taken();
    }
}

void Inbound::finish_answer() {
    intake_.answered();
    questions_.pop();
}

// In the middle of an answer, the Terminate has the number of its octets that were sent (IW-RDMAP-10). It replaces that of a later
// fault.
void Inbound::refuse_answer(const Fault& fault) {
    (void)report(Status::access_violation,
                 {.object = "connection",
                  .operation = "the peer's Read",
                  .asked = describe(fault),
                  .limit = "memory that stays registered until it was read; the connection ends",
                  .remedy = "deregister or invalidate after the peer is done with it",
                  .requirement = "IW-RDMAP-29",
                  .cause = LogCause::peer});
    outlet_.set_last_words(Terminate(cause(fault), questions_.front().ulpdu, outbound_.answered_bytes()));
    outlet_.say_last_words();
    break_off();
}

// The peer's octets are wrong. `blamed`: the ULPDU, empty if it cannot be used (IW-ERR-05).
Inbound::Step Inbound::fault(const Fault& fault, Ulpdu blamed) {
    (void)report(Status::remote_data_error, {.object = "connection",
                                             .operation = "receiving",
                                             .asked = describe(fault),
                                             .limit = "the rules of the wire; the connection ends",
                                             .remedy = "look at the messages of the peer; its log has the Terminate",
                                             .requirement = "IW-ERR-02",
                                             .cause = LogCause::peer});
    stream_.note(cause(fault));
    if (fault.kind == FaultKind::crc_mismatch) outbound_.fail_oldest_read(Status::timed_out);  // IW-NEG-36
    return stop(Terminate(cause(fault), blamed));
}

// Ends the input with a Terminate, which receive(), the caller, sends at its end.
Inbound::Step Inbound::stop(const Terminate& message) {
    stream_.note(message.cause());
    outlet_.set_last_words(message);
    if (taking() != Taking::stopped) set(Taking::halted);
    return Step::stopped;
}

// The Reads before the fault are good, and answered before the Terminate (IW-ERR-19). If the queue pair fails now, only as many
// as the socket takes.
void Inbound::answer_and_end(soft::ReceiveTurn& turn) {
    for (std::size_t before = 0; owes_answers() && taking() != Taking::stopped && before != questions_.size();) {
        before = questions_.size();
        answer_reads(turn);
    }
    if (taking() == Taking::stopped) return;
    if (owes_answers() && !turn.responder().failed()) {
        const std::uint64_t delivered = outlet_.delivered();
        const bool goes_on = last_words_by_ == SteadyTime{} || delivered_by_then_ != delivered;
        delivered_by_then_ = delivered;
        if (goes_on) last_words_by_ = now() + kAnswerPatience;
        if (goes_on || now() < last_words_by_) return;
    }
    outlet_.say_last_words();
    break_off();
}

// The Terminate was sent: the queue pair fails, and with it the connection.
void Inbound::break_off() {
    set(Taking::stopped);
    stream_.break_off();
}

// The queue pair refuses the message that waits, or the next one. Over a stream that broke nobody is told, and the requests of this
// side end for that reason.
void Inbound::refuse(Status reason) {
    if (taking() == Taking::stopped) return;
    const TerminateCause why = reason == Status::timed_out ? cause({FaultKind::no_receive}) : kOwnFailure;
    if (outlet_.terminate_unless_broken(Terminate(why, waiting_.value_or(Ulpdu{})))) break_off();
}

// Never answered (IW-ERR-04).
Inbound::Step Inbound::take_terminate(const Segment& segment) {
    const bool first = !stream_.opened();
    const auto told =
        ReceivedTerminate::load(segment, stream_.taken() == 0 ? Arrival::before_messages : Arrival::after_messages);
    const bool blames = outbound_.take_terminate(told);
    const std::string_view why = told.cause ? name(*told.cause) : std::string_view("a cause that is none");
    log(first ? LogLevel::info : LogLevel::warn, LogCause::peer,
        "connection: the peer ended the stream with a Terminate, layer {}, type {}, code {:#04x}: {} (IW-ERR-09)",
        told.cause ? static_cast<unsigned>(told.cause->layer) : 0u, told.cause ? told.cause->type : 0u,
        told.cause ? told.cause->code : 0u, why);
    set(Taking::stopped);
    if (blames) {
        stream_.break_off();
    } else {  // before any message, it takes the request for the connection back (IW-CM-13)
        stream_.end(first ? StreamState::End::refused : StreamState::End::abnormal);
        watching_.tell_owner();
    }
    return Step::stopped;
}

}  // namespace opennd::iwarp
