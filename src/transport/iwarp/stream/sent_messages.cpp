// SPDX-License-Identifier: MIT
// SentMessages: see sent_messages.h.
#include "transport/iwarp/stream/sent_messages.h"

#include <algorithm>
#include <utility>

#include "base/until_memory.h"

namespace opennd::iwarp {
namespace {

constexpr std::size_t kFirstRoom = 16;

constexpr bool is_one_of(std::uint8_t code, std::uint8_t first, std::uint8_t last) {
    return code >= first && code <= last;
}

}  // namespace

std::uint64_t SentMessages::begin(const SentMessage& message) {
    if (newest_ + 1 - oldest_ == ring_.size()) until_memory([this] { grow(); });
    at(++newest_) = message;
    return newest_;
}

void SentMessages::grow() {
    std::vector<SentMessage> larger(std::max(kFirstRoom, 2 * ring_.size()));
    for (std::uint64_t number = oldest_; number <= newest_; ++number)
        larger[number & (larger.size() - 1)] = (*this)[number];
    ring_ = std::move(larger);
}

void SentMessages::confirm(std::uint64_t through) { oldest_ = std::max(oldest_, std::min(through, newest_) + 1); }

std::uint64_t SentMessages::ended_by(std::uint64_t stream_octet) const {
    std::uint64_t last = 0;
    for (std::uint64_t number = oldest_; number <= newest_; ++number) {
        const SentMessage& message = (*this)[number];
        if (message.opcode == Opcode::read_request || message.stream_end == 0 || message.stream_end > stream_octet)
            break;
        last = number;
    }
    return last;
}

bool SentMessages::ends_by(std::uint64_t number, std::uint64_t stream_octet) const {
    if (number < oldest_ || number > newest_) return false;
    const std::uint64_t end = (*this)[number].stream_end;
    return end != 0 && end <= stream_octet;
}

std::optional<std::uint64_t> SentMessages::blamed(const ReceivedTerminate& terminate) const {
    // A failure within the peer is a lost connection: no request of this side completes with it.
    const bool own_failure =
        terminate.cause && terminate.cause->layer != Layer::mpa && terminate.cause->type == kLocalCatastrophic;
    if (own_failure) return std::nullopt;
    if (terminate.ddp_header.empty()) return empty() ? std::nullopt : std::optional(oldest_);
    for (std::uint64_t number = oldest_; number <= newest_; ++number)
        if (is_blamed((*this)[number], terminate)) return number;
    return std::nullopt;
}

bool SentMessages::is_blamed(const SentMessage& message, const ReceivedTerminate& terminate) const {
    const SegmentControl control = SegmentControl::load(terminate.ddp_header.first<SegmentControl::kBytes>());
    if (control.model == Model::tagged) {
        const bool writes = message.opcode == Opcode::write || is_immediate_data(message.opcode);
        if (control.opcode != Opcode::write || !writes) return false;
        const TaggedHeader header = TaggedHeader::load(terminate.ddp_header.first<TaggedHeader::kBytes>());
        return header.stag == message.stag && header.offset - message.offset <= message.length;
    }
    const UntaggedHeader header = UntaggedHeader::load(terminate.ddp_header.first<UntaggedHeader::kBytes>());
    if (message.opcode == Opcode::read_request) {
        if (terminate.read_request) return terminate.read_request->sink == message.stag;
        return header.queue == Queue::read_requests && header.msn == message.msn;
    }
    return (is_send(message.opcode) || is_immediate_data(message.opcode)) && header.queue == Queue::sends &&
           header.msn == message.msn;
}

// A remote error of RFC 5040 counts as a peer that could not do its part.
Status refusal_status(Opcode opcode, const std::optional<TerminateCause>& cause) {
    if (!cause) return Status::remote_data_error;
    const auto [layer, type, code] = *cause;
    const bool send = is_send(opcode), read = opcode == Opcode::read_request;
    if (layer == Layer::rdmap && type == kRemoteProtection) {
        if (send) return Status::malformed_request;  // the window that it was to take away (ND1-EP-SINV-04)
        return read ? Status::remote_access_violation : Status::remote_data_error;
    }
    if (layer == Layer::rdmap && type == kRemoteOperation) {
        if (code == 0x09 && send) return Status::malformed_request;
        return is_one_of(code, 0x05, 0x06) ? Status::internal_error : Status::remote_data_error;
    }
    if (layer == Layer::ddp && type == kTaggedBuffer)
        return is_one_of(code, 0x00, 0x03) ? Status::remote_access_violation : Status::internal_error;
    if (layer == Layer::ddp && type == kUntaggedBuffer) {
        if (code == 0x02) return read ? Status::remote_data_error : Status::timed_out;
        return code == 0x05 ? Status::remote_data_error : Status::internal_error;
    }
    if (layer == Layer::mpa && is_one_of(code, 0x02, 0x03)) return Status::timed_out;
    return Status::remote_data_error;
}

}  // namespace opennd::iwarp
