// SPDX-License-Identifier: MIT
// IwarpChannel, the ends of a stream: by a fault of the peer, by the peer's Terminate, by this side.
#include <chrono>
#include <utility>

#include "base/explanation.h"
#include "transport/iwarp/channel.h"
#include "transport/iwarp/closing_socket.h"

namespace opennd::iwarp {
namespace {

// The cause in the Terminate for a receive that completed with `status`, a failure.
TerminateCause refused_receive(Status status) {
    if (status == Status::receive_too_small) return cause({FaultKind::message_too_long});
    if (status == Status::malformed_request) return cause({FaultKind::invalidated_stag_unknown});
    return kUnplaceable;
}

constexpr TerminateCause kOwnFailure{Layer::rdmap, kLocalCatastrophic, 0};

// A Terminate waits for the answers before it while the peer acknowledges an octet in this time.
constexpr std::chrono::seconds kAnswerPatience{1};

}  // namespace

// The peer's octets are wrong. `blamed`: the ULPDU, empty if it cannot be used (IW-ERR-05).
IwarpChannel::Step IwarpChannel::fault(const Fault& fault, Ulpdu blamed) {
    (void)report(Status::remote_data_error, {.object = "connection",
                                             .operation = "receiving",
                                             .asked = describe(fault),
                                             .limit = "the rules of the wire; the connection ends",
                                             .remedy = "look at the messages of the peer; its log has the Terminate",
                                             .requirement = "IW-ERR-02",
                                             .cause = LogCause::peer});
    note(cause(fault));
    if (fault.kind == FaultKind::crc_mismatch) {
        const Held lock(output_mutex_);
        fail_oldest_read(Status::timed_out);  // IW-NEG-36
    }
    return stop(Terminate(cause(fault), blamed));
}

// Nothing is taken any more. Called inside receive(), which sends the Terminate at its end.
IwarpChannel::Step IwarpChannel::stop(const Terminate& message) {
    note(message.cause());
    {
        const Held lock(output_mutex_);
        last_words_ = message;
    }
    halted_ = true;
    starved_.store(false, std::memory_order_relaxed);
    return Step::stopped;
}

std::uint64_t IwarpChannel::delivered() const {
    const Held lock(output_mutex_);
    return output_.sent() - socket_.unacknowledged_bytes();
}

// The Reads before the fault are good, and answered before the Terminate (IW-ERR-19). If the queue pair fails now, only as many
// as the socket takes.
void IwarpChannel::say_last_words(soft::ReceiveTurn& turn) {
    for (std::size_t before = 0; owes_answers() && !stopped_ && before != questions_.size();) {
        before = questions_.size();
        answer_reads(turn);
    }
    if (stopped_) return;
    if (owes_answers() && !turn.responder().failed()) {
        const std::uint64_t delivered = this->delivered();
        const bool goes_on = last_words_by_ == SteadyTime{} || delivered_by_then_ != delivered;
        delivered_by_then_ = delivered;
        if (goes_on) last_words_by_ = now() + kAnswerPatience;
        if (goes_on || now() < last_words_by_) return;
    }
    const Held lock(output_mutex_);
    end_stream(*last_words_);
}

// The queue pair fails, and with it the connection.
void IwarpChannel::end_stream(const Terminate& message) {
    terminate(message);
    halted_ = stopped_ = true;
    starved_.store(false, std::memory_order_relaxed);
    broken_.store(true, std::memory_order_release);
}

// At most one goes out, as the last FPDU, and none before the responder's direction is open (IW-ERR-01, -04).
void IwarpChannel::terminate(const Terminate& message) {
    const Terminate& said = last_words_ ? *last_words_ : message;
    note(said.cause());
    if (owes_receipt()) put_receipt();  // what is placed before the fault counts
    if (std::exchange(sealed_, true)) return;
    if (!gate_open_.load(std::memory_order_relaxed) || !output_.has_slab()) {
        resets_ = true;
        return;
    }
    output_.put(said.ulpdu());
    flush_output();
}

// The queue pair refuses the message that waits, or the next one. Over a stream that broke nobody is told, and the requests of this
// side end for that reason.
void IwarpChannel::refuse(Status reason) {
    if (stopped_) return;
    const TerminateCause why = reason == Status::timed_out ? cause({FaultKind::no_receive}) : kOwnFailure;
    const Held lock(output_mutex_);
    if (break_ == End::none) end_stream(Terminate(why, waiting_.value_or(Ulpdu{})));
}

bool IwarpChannel::finish() {
    if (unfinished_.load(std::memory_order_relaxed)) return false;  // answers are owed, or arrivals are not taken
    const Held lock(output_mutex_);
    if (framing_ != Framing::nothing) return false;
    if (!output_.empty() || owes_receipt()) flush_output();
    if (!output_.empty() || owes_receipt()) return false;
    sealed_ = true;
    sending_ended_.store(true);
    socket_.end_sending();
    if (silence_timer_ == TimerId{}) await_acknowledgement();
    return true;
}

void IwarpChannel::outlive_end() {
    const Held lock(output_mutex_);
    outlives_end_.store(true);
    confirm_known();
    fail_oldest_read(Status::canceled);
}

void IwarpChannel::tell_local_failure() {
    const Held lock(output_mutex_);
    terminate(Terminate(kOwnFailure));
}

// Never answered (IW-ERR-04). The blamed request fails with the named cause; earlier ones are placed, later ones flushed.
IwarpChannel::Step IwarpChannel::take_terminate(const Segment& segment) {
    const bool first = !opened();
    bool blames = false;
    const auto told = ReceivedTerminate::load(
        segment, expected_.load(std::memory_order_relaxed) == 0 ? Arrival::before_messages : Arrival::after_messages);
    {
        const Held lock(output_mutex_);
        sealed_ = true;
        if (told.cause) note(*told.cause);
        if (const auto blamed = sent_.blamed(told)) {
            const Opcode opcode = sent_[*blamed].opcode;
            blames = true;
            confirm(*blamed - 1);
            fail_request(*blamed, refusal_status(opcode, told.cause));
        }
    }
    const std::string_view why = told.cause ? name(*told.cause) : std::string_view("a cause that is none");
    log(first ? LogLevel::info : LogLevel::warn, LogCause::peer,
        "connection: the peer ended the stream with a Terminate, layer {}, type {}, code {:#04x}: {} (IW-ERR-09)",
        told.cause ? static_cast<unsigned>(told.cause->layer) : 0u, told.cause ? told.cause->type : 0u,
        told.cause ? told.cause->code : 0u, why);
    stopped_ = true;
    if (blames) {
        broken_.store(true, std::memory_order_release);
    } else {  // before any message, it takes the request for the connection back (IW-CM-13)
        end(first ? End::refused : End::abnormal);
        tell_owner();
    }
    return Step::stopped;
}

// Called before any request completes because of it. The first cause counts.
void IwarpChannel::note(const TerminateCause& cause) {
    std::int32_t none = kNoTerminate;
    terminate_.compare_exchange_strong(none, number(cause), std::memory_order_relaxed);
}

// The code of the Terminate that was noted, else of the one that is due for `status`.
std::uint32_t IwarpChannel::failure_code(Operation operation, Status status) const {
    const std::int32_t noted = terminate_.load(std::memory_order_relaxed);
    if (noted != kNoTerminate) return provider_code(ProviderWire::iwarp, static_cast<std::uint32_t>(noted));
    return provider_code(ProviderWire::iwarp,
                         number(operation == Operation::receive ? refused_receive(status) : kOwnFailure));
}

// The first cause counts.
void IwarpChannel::fail_request(std::uint64_t number, Status status) {
    if (failure_.number != 0) return;
    failure_ = {number, status};
    looks_closely_.store(true, std::memory_order_release);
}

void IwarpChannel::fail_oldest_read(Status status) {
    for (std::size_t read = 0; read != open_reads_.size(); ++read) {
        const OpenRead& open = open_reads_[read];
        if (!open.fence) return fail_request(open.number, status);
    }
}

// Only this side may take the stream for lost: the reset reports it to the peer.
void IwarpChannel::note_break(Status why) {
    resets_ = true;
    break_ = why == Status::timed_out ? End::lost : why == Status::connection_aborted ? End::reset : End::abnormal;
}

void IwarpChannel::look_for_break() {
    const Held lock(output_mutex_);
    if (const Status why = socket_.take_failure(); !ok(why)) note_break(why);
    if (break_ != End::none) end(break_);
}

void IwarpChannel::end(End how) { end_.store(how, std::memory_order_release); }

void IwarpChannel::tell_owner() {
    if (Ref<ChannelOwner> owner = this->owner()) loop_.post([owner = std::move(owner)] { owner->revisit(); });
}

void IwarpChannel::abort() {
    resets_ = true;
    close();
}

void IwarpChannel::close() {
    if (closed_.exchange(true)) return;
    stop_watching();
    const Held lock(output_mutex_);
    loop_.cancel(std::exchange(opening_timer_, TimerId{}));
    loop_.cancel(std::exchange(silence_timer_, TimerId{}));
    if (owes_receipt()) put_receipt();
    if (resets_)
        socket_.reset();
    else
        ClosingSocket::close(loop_, std::move(socket_), output_.unsent());
}

}  // namespace opennd::iwarp
