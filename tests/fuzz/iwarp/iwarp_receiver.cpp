// SPDX-License-Identifier: MIT
// IwarpReceiver: see iwarp_receiver.h.
#include "fuzz/iwarp/iwarp_receiver.h"

#include <algorithm>

#include "fuzz/script.h"
#include "transport/iwarp/wire/immediate_data.h"
#include "transport/iwarp/wire/terminate.h"

namespace opennd::fuzz {
namespace {

using namespace iwarp;

constexpr std::uint32_t kDepth = 2;
constexpr std::uint64_t kBase = 0x100000000;
constexpr std::size_t kReceiveBytes = 64, kBufferBytes = 64, kReadBytes = 96;
constexpr std::size_t kMostReceives = 8;
// Named by the golden frames.
constexpr Stag kBuffer{0xa1b2c3d4}, kWindow{0x11223344}, kReadSink{0x55667788};

TaggedBuffer find(Stag stag) {
    using Standing = TaggedBuffer::Standing;
    if (stag == kBuffer) return {Standing::ours, kBase, kBufferBytes, true, true, false};
    if (stag == kWindow) return {Standing::ours, kBase, kBufferBytes, true, false, true};
    return {value(stag) % 2 == 0 ? Standing::unknown : Standing::foreign, kBase, kBufferBytes, true, true, true};
}

// Memory of just this length, so that a sanitizer sees one octet too many.
void place(std::vector<std::byte>& memory, std::uint64_t at, std::span<const std::byte> payload) {
    require(at <= memory.size() && payload.size() <= memory.size() - at, "payload is placed inside its memory");
    std::copy(payload.begin(), payload.end(), memory.begin() + static_cast<std::ptrdiff_t>(at));
}

// Every fault can be sent in a Terminate that the peer understands.
void check_terminate(const Fault& fault, std::span<const std::byte> ulpdu) {
    require(!std::string_view(describe(fault)).empty(), "a fault can be described");
    const Terminate terminate(cause(fault), ulpdu);
    const Checked<Segment> segment = Segment::load(terminate.ulpdu());
    require(segment.ok() && segment.value().opcode == Opcode::terminate, "a Terminate is a segment");
    const ReceivedTerminate received = ReceivedTerminate::load(segment.value(), Arrival::after_messages);
    require(received.cause == cause(fault), "a Terminate says the cause");
    require(received.ddp_header.size() <= ulpdu.size() &&
                std::equal(received.ddp_header.begin(), received.ddp_header.end(), ulpdu.begin()),
            "a Terminate quotes what was received");
}

}  // namespace

IwarpReceiver::IwarpReceiver()
    : read_requests_(kDepth), reads_(kDepth), receive_(kReceiveBytes), read_(kReadBytes), written_(kBufferBytes) {
    reads_.start(Stag::none, 0);
    reads_.start(kReadSink, kReadBytes);
}

std::optional<Fault> IwarpReceiver::take(std::span<const std::byte> ulpdu) {
    const Checked<Segment> loaded = Segment::load(ulpdu, Immediate::taken);
    const auto apply = [&](const Segment& segment) -> std::optional<Fault> {
        switch (segment.opcode) {
            case Opcode::write: return take_write(segment);
            case Opcode::read_response: return take_response(segment);
            case Opcode::read_request: return take_read_request(segment);
            case Opcode::terminate: take_terminate(segment); return std::nullopt;
            default:
                require(is_send(segment.opcode) || is_immediate_data(segment.opcode),
                        "only supported opcodes come so far");
                return take_send(segment);
        }
    };
    const std::optional<Fault> fault = loaded.ok() ? apply(loaded.value()) : loaded.fault();
    if (fault) check_terminate(*fault, ulpdu);
    return fault;
}

std::optional<Fault> IwarpReceiver::take_write(const Segment& segment) {
    const auto fault = check_write(segment, find(segment.tagged.stag));
    if (fault || segment.payload().empty()) return fault;
    require(segment.tagged.stag == kBuffer, "only granted memory is written");
    place(written_, segment.tagged.offset - kBase, segment.payload());
    return std::nullopt;
}

std::optional<Fault> IwarpReceiver::take_response(const Segment& segment) {
    const auto placement = reads_.accept(segment);
    if (!placement.ok()) return placement.fault();
    if (placement.value().surplus) return std::nullopt;  // goes nowhere
    place(read_, placement.value().read_offset, segment.payload());
    return std::nullopt;
}

std::optional<Fault> IwarpReceiver::take_send(const Segment& segment) {
    const bool was_open = sends_.open();
    const auto receive = receives_ < kMostReceives ? std::optional<std::uint32_t>(kReceiveBytes) : std::nullopt;
    const auto placement = sends_.accept(segment, receive);
    require(placement.ok() || sends_.open() == was_open, "a segment that is refused changes nothing");
    if (!placement.ok()) return placement.fault();
    require(placement.value().first != was_open && placement.value().last != sends_.open(), "messages do not overlap");
    receives_ += placement.value().first ? 1 : 0;
    if (is_immediate_data(segment.opcode)) {
        require(segment.payload().size() == ImmediateData::kBytes && placement.value().last && !was_open,
                "immediate data are eight octets in one segment");
        return std::nullopt;
    }
    place(receive_, placement.value().message_offset, segment.payload());
    if (!placement.value().last || !invalidates(segment.opcode)) return std::nullopt;
    return check_invalidation(segment.untagged.invalidate, find(segment.untagged.invalidate));
}

std::optional<Fault> IwarpReceiver::take_read_request(const Segment& segment) {
    const auto request = read_requests_.accept(segment);
    if (!request.ok()) return request.fault();
    require(read_requests_.open() <= kDepth + 1, "no more reads are open than there are slots");
    if (const auto fault = check_read_source(request.value(), find(request.value().source))) return fault;
    const std::uint64_t from = request.value().source_offset, bytes = request.value().size;
    require(bytes == 0 || (from >= kBase && from - kBase + bytes <= kBufferBytes), "only granted memory is read");
    if (value(request.value().sink) % 2 != 0) read_requests_.answered();
    return std::nullopt;
}

void IwarpReceiver::take_terminate(const Segment& segment) {
    for (const Arrival arrival : {Arrival::before_messages, Arrival::after_messages}) {
        const ReceivedTerminate terminate = ReceivedTerminate::load(segment, arrival);
        require(!terminate.cause || is_registered(*terminate.cause), "a cause that is believed is registered");
        require(terminate.ddp_header.size() <= segment.payload().size(), "a quotation is part of the message");
    }
    ended_ = true;
}

}  // namespace opennd::fuzz
