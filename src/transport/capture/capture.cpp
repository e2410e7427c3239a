// SPDX-License-Identifier: MIT
// Capture: what it takes, and its end. capture_writer.cpp has the thread. See capture.h.
#include "transport/capture/capture.h"

#include <algorithm>
#include <chrono>
#include <new>

#include "base/format.h"
#include "base/log.h"
#include "base/status_names.h"
#include "platform/process/signals.h"
#include "transport/capture/pcapng.h"
#include "transport/iwarp/wire/ddp_header.h"
#include "transport/iwarp/wire/fpdu.h"
#include "transport/iwarp/wire/immediate_data.h"
#include "transport/iwarp/wire/mpa_frame.h"
#include "transport/soft/memory/ordered_copy.h"

namespace opennd::capture {
namespace {

using iwarp::Opcode;
using iwarp::TaggedHeader;
using iwarp::UntaggedHeader;

// The most octets of a message in one segment: a dropped packet is then no great loss of a long message.
constexpr std::uint32_t kLongestSegment = 32 * 1024;
static_assert(iwarp::fpdu_bytes(Frame::kHeadBytes + kLongestSegment) <= kMostTcpPayload);
// The octets after which the other side acknowledges: far below the window of the beginning.
constexpr std::uint32_t kMostUnacknowledged = 1 << 28;
constexpr std::chrono::seconds kPatienceAtEnd{2};
// Sequence numbers of two connections with the same addresses should differ.
constexpr std::uint32_t kFirstSequence = 1'000'000;

// A frame of revision 1, which every version of Wireshark knows.
Octets mpa_octets(iwarp::MpaRole role, std::span<const std::byte> private_data) {
    iwarp::MpaFrame frame;
    frame.role = role;
    frame.revision = 1;
    const std::size_t bytes = std::min(private_data.size(), iwarp::PrivateData::kMaxBytes);
    frame.private_data = iwarp::PrivateData(private_data.first(bytes));
    std::array<std::byte, iwarp::MpaFrame::kMaxBytes> room;
    const std::span<const std::byte> stored = frame.store(room);
    return {stored.begin(), stored.end()};
}

End end_of(const soft::ConnectionFacts& facts) { return facts.active ? End::active : End::passive; }

}  // namespace

Capture::Capture(const Options& options, const Author& author, std::unique_ptr<FileSource> source, Filter filter)
    : options_(options),
      author_(author),
      filter_(std::move(filter)),
      began_(wall_time()),
      files_(options, std::move(source)),
      packets_(options.snap_bytes) {}

Capture::~Capture() = default;

Result<Ref<Capture>> Capture::begin(const Options& options, const Author& author, std::unique_ptr<FileSource> source,
                                    std::string& fault) {
    auto filter = Filter::parse(options.filter, fault);
    if (!filter) return Status::invalid_parameter;
    Ref<Capture> capture(new Capture(options, author, std::move(source), std::move(*filter)));
    Status status = capture->begin_file(capture->began_);
    if (ok(status)) status = capture->flush_blocks();
    if (!ok(status)) {
        fault = format("{} cannot be written: {}", options.file, capture->reason_of(status));
        return status;
    }
    QuietThread writer;
    capture->add_ref();  // the thread's
    status = writer.start("opennd-capture", &Capture::write_all, capture.get());
    if (!ok(status)) {
        capture->drop_ref();
        fault = "there is no thread for it";
        return status;
    }
    writer.detach();
    return capture;
}

// ---- connections ----------------------------------------------------------------------------------------------------

Ref<Flow> Capture::enter(const soft::ConnectionFacts& facts) {
    const End end = end_of(facts);
    if (!filter_.passes(facts.local, facts.peer, facts.wire)) return nullptr;
    if (facts.local.is_ipv6() != facts.peer.is_ipv6()) return nullptr;  // no packet has both
    const Key key = facts.active ? Key(facts.local, facts.peer) : Key(facts.peer, facts.local);
    try {
        const Held lock(mutex_);
        if (ending_) return nullptr;
        Ref<Flow>& flow = flows_[key];
        // A flow that is there lacks this end, or is of another connection between the same addresses.
        if (!flow || flow->ended || flow->present[index(end)] != 0) flow = make_flow(facts);
        ++flow->present[index(end)];
        return flow;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

Ref<Flow> Capture::make_flow(const soft::ConnectionFacts& facts) {
    auto flow = make_ref<Flow>();
    flow->own = end_of(facts);
    flow->address[index(flow->own)] = facts.local;
    flow->address[index(other(flow->own))] = facts.peer;
    flow->wire = facts.wire;
    flow->interface = interface_of(facts.wire);
    flow->comment = describe(facts);
    flow->request = mpa_octets(iwarp::MpaRole::request, facts.request_data);
    flow->reply = mpa_octets(iwarp::MpaRole::reply, facts.reply_data);
    const std::uint32_t base = kFirstSequence * ++flows_made_;
    flow->ways[index(End::active)].sequence = base + static_cast<std::uint32_t>(flow->request.size());
    flow->ways[index(End::passive)].sequence = base + static_cast<std::uint32_t>(flow->reply.size());
    enqueue(frame(*flow, Frame::Kind::begins, flow->own, TcpFlags::none, 0));
    return flow;
}

std::string Capture::describe(const soft::ConnectionFacts& facts) const {
    std::string text = format("OpenND: process {} ({}), wire {}", author_.process, author_.program, facts.wire);
    if (facts.peer_process > 0) text += format(", peer process {}", facts.peer_process);
    text += format("; Reads at once: {} of this side, {} of the peer", facts.limits.outbound, facts.limits.inbound);
    text += "; IP, TCP and MPA are made for this file";
    if (facts.under_way) text += "; the connection was up before the capture, its private data are not known";
    return text;
}

std::uint32_t Capture::interface_of(std::string_view wire) {
    const auto known = std::ranges::find_if(wires_, [&](const WireCounts& counts) { return counts.wire == wire; });
    const auto number = static_cast<std::uint32_t>(known - wires_.begin());
    if (known == wires_.end()) wires_.push_back({wire});
    return number;
}

void Capture::leave(Flow& flow, End end) {
    const Held lock(mutex_);
    --flow.present[index(end)];
    end_if_due(flow);
    if (flow.present[0] != 0 || flow.present[1] != 0) return;
    const auto known = flows_.find({flow.address[0], flow.address[1]});
    if (known != flows_.end() && known->second.get() == &flow) flows_.erase(known);
}

// ---- messages -------------------------------------------------------------------------------------------------------

Frame Capture::frame(Flow& flow, Frame::Kind kind, End from, TcpFlags flags, std::uint32_t octets) {
    Flow::Way& way = flow.ways[index(from)];
    Flow::Way& back = flow.ways[index(other(from))];
    Frame made;
    made.flow = Ref<Flow>(&flow);
    made.kind = kind;
    made.at = wall_time();
    made.from = from;
    made.flags = flags;
    made.sequence = way.sequence;
    made.acknowledged = back.sequence;
    way.sequence += octets;
    way.unacknowledged += octets;
    back.unacknowledged = 0;
    return made;
}

Frame Capture::fpdu(Flow& flow, End from, std::span<const std::byte> head, std::uint32_t payload_bytes) {
    const auto octets = static_cast<std::uint32_t>(iwarp::fpdu_bytes(head.size() + payload_bytes));
    Frame made = frame(flow, Frame::Kind::fpdu, from, TcpFlags::push | TcpFlags::ack, octets);
    std::ranges::copy(head, made.head.begin());
    made.head_bytes = static_cast<std::uint8_t>(head.size());
    made.payload_bytes = payload_bytes;
    return made;
}

// A frame that is dropped has its place in the stream all the same: a reader sees that octets are missing there.
void Capture::enqueue(Frame frame) {
    Flow& flow = *frame.flow;
    WireCounts& counts = wires_[flow.interface];
    if (frame.kind != Frame::Kind::begins) ++counts.seen;
    try {
        if (flow.missing != 0 && ok(status_))
            frame.comment += format("{}OpenND: {} packets before this one found no room in the capture's buffer",
                                    frame.comment.empty() ? "" : "; ", flow.missing);
        if (!ending_ && ok(status_) && held_bytes_ + frame.cost() <= options_.buffer_bytes) {
            const std::size_t cost = frame.cost();
            queue_.push_back(std::move(frame));
            held_bytes_ += cost;
            flow.missing = 0;
            if (queue_.size() == 1) news_.notify_one();
            return;
        }
    } catch (const std::bad_alloc&) {
        // as without room
    }
    if (frame.kind != Frame::Kind::begins) count_dropped(flow);
}

void Capture::count_dropped(Flow& flow) {
    ++wires_[flow.interface].dropped;
    ++flow.missing;
    if (std::exchange(told_of_drops_, true) || !ok(status_) || ending_) return;
    log(LogLevel::warn,
        "capture: packets are dropped, since {} is written more slowly than they come; a shorter "
        "OPENND_CAPTURE_SNAPLEN or a larger OPENND_CAPTURE_BUFFER_MB helps",
        path_);
}

void Capture::acknowledge_if_due(Flow& flow, End from) {
    if (flow.ways[index(from)].unacknowledged > kMostUnacknowledged)
        enqueue(frame(flow, Frame::Kind::bare, other(from), TcpFlags::ack, 0));
}

void Capture::put(Flow& flow, End from, End known_by, const Message& message) {
    const Held lock(mutex_);
    if (flow.ended || (is_told_by_sender(flow, from, known_by) && message.opcode != Opcode::read_response)) return;
    const bool tagged = iwarp::rule(message.opcode).model == iwarp::Model::tagged;
    const std::uint32_t number = tagged ? 0 : ++flow.ways[index(from)].sends;
    soft::SgeCursor octets(message.sges);
    bool withdrawn = message.sges.empty();
    std::uint32_t done = 0;
    do {
        const std::uint32_t part = std::min(kLongestSegment, message.length_bytes - done);
        const bool last = done + part == message.length_bytes;
        std::array<std::byte, UntaggedHeader::kBytes> head;
        if (tagged)
            TaggedHeader{message.stag, message.offset + done}.store(std::span(head).first<TaggedHeader::kBytes>(),
                                                                    message.opcode, last);
        else
            UntaggedHeader{message.stag, iwarp::Queue::sends, number, done}.store(head, message.opcode, last);
        if (message.immediate && last) iwarp::ImmediateData{*message.immediate}.stamp(head);
        const std::size_t head_bytes = tagged ? TaggedHeader::kBytes : UntaggedHeader::kBytes;
        Frame made = fpdu(flow, from, std::span(head).first(head_bytes), part);
        const std::uint32_t kept = std::min(part, options_.snap_bytes);
        try {
            // A frame that will find no room takes no memory.
            if (held_bytes_ + kept <= options_.buffer_bytes && ok(status_)) made.payload.resize(kept);
            if (made.payload.size() == kept && !soft::gather(octets, made.payload.data(), kept)) {
                withdrawn = true;
                octets = soft::SgeCursor({});
            }
            if (withdrawn && part != 0)
                made.comment = "OpenND: the program withdrew the memory; the octets are not the message's";
        } catch (const std::bad_alloc&) {
            made.payload.clear();
        }
        const bool has_room = made.payload.size() == kept;
        octets.skip(has_room ? part - kept : part);
        if (has_room) {
            enqueue(std::move(made));
        } else {
            ++wires_[flow.interface].seen;
            count_dropped(flow);
        }
        done += part;
    } while (done < message.length_bytes);
    acknowledge_if_due(flow, from);
}

void Capture::put_immediate_data(Flow& flow, End from, End known_by, std::uint32_t immediate, bool solicited) {
    const Held lock(mutex_);
    if (flow.ended || is_told_by_sender(flow, from, known_by)) return;
    const std::uint32_t number = ++flow.ways[index(from)].sends;
    enqueue(fpdu(flow, from, iwarp::ImmediateData{immediate}.message(number, solicited), 0));
}

void Capture::put_read_request(Flow& flow, End from, const iwarp::ReadRequest& request) {
    const Held lock(mutex_);
    if (flow.ended) return;
    enqueue(fpdu(flow, from, request.message(++flow.ways[index(from)].reads), 0));
}

void Capture::put_terminate(Flow& flow, End from, const iwarp::TerminateCause& cause, std::string_view why) {
    const Held lock(mutex_);
    if (flow.ended || std::exchange(flow.terminated, true)) return;
    Frame made = fpdu(flow, from, iwarp::Terminate(cause).ulpdu(), 0);
    made.comment = why;
    enqueue(std::move(made));
}

void Capture::put_end(Flow& flow, End first, End known_by) {
    const Held lock(mutex_);
    if (!flow.first_to_end) flow.first_to_end = first;
    flow.closed[index(known_by)] = true;
    end_if_due(flow);
}

void Capture::end_if_due(Flow& flow) {
    if (flow.ended || !flow.first_to_end) return;
    for (const End each : {End::active, End::passive})
        if (flow.present[index(each)] != 0 && !flow.closed[index(each)]) return;
    flow.ended = true;
    const End first = *flow.first_to_end;
    const TcpFlags last = TcpFlags::fin | TcpFlags::ack;
    enqueue(frame(flow, Frame::Kind::bare, first, last, 1));
    enqueue(frame(flow, Frame::Kind::bare, other(first), last, 1));
    enqueue(frame(flow, Frame::Kind::bare, first, TcpFlags::ack, 0));
}

// ---- the end --------------------------------------------------------------------------------------------------------

Counts Capture::end() {
    const SteadyTime until = now() + kPatienceAtEnd;
    {
        const Held lock(mutex_);
        ending_ = true;
        news_.notify_one();
        while (!finished_ && finished_news_.wait_until(mutex_, until)) {
        }
    }
    return counts();
}

Counts Capture::counts() const {
    const Held lock(mutex_);
    Counts sum;
    sum.connections = flows_made_;
    sum.file = path_;
    sum.status = status_;
    for (const WireCounts& wire : wires_) {
        sum.packets += wire.seen;
        sum.dropped += wire.dropped;
    }
    return sum;
}

}  // namespace opennd::capture
