// SPDX-License-Identifier: MIT
//
// Read session.h first. Sections are [MS-SMBD]'s.
#include "session.h"

#include <utility>

namespace smb_direct {

Session::Session(Role role, const Limits& limits)
    : limits_(limits),
      state_(role == Role::initiator ? State::requesting : State::awaiting_request),
      free_receives_(limits.receives()) {}

void Session::take(Octets message) {
    switch (state_) {
        case State::awaiting_request: return take_request(message);
        case State::awaiting_response: return take_response(message);
        case State::established: return take_data(message);
        default: throw ProtocolError("a message before the negotiation is over");
    }
}

// 3.1.5.6
void Session::take_request(Octets message) {
    const auto request = parse<NegotiateRequest>(message);
    const bool speaks = request.min_version <= kVersion && kVersion <= request.max_version;
    if (speaks) agree(request);
    state_ = speaks ? State::responding : State::refusing;
}

// 3.1.5.7
void Session::take_response(Octets message) {
    const auto response = parse<NegotiateResponse>(message);
    require(response.status == 0, "the peer refuses the negotiation");
    require(response.negotiated_version == kVersion, "the peer chose another version");
    require(response.credits_granted != 0, "a negotiation that grants no credit");
    require(response.preferred_send_size <= limits_.max_receive_size, "the peer would send more than fits a receive");
    agree(response);
    limits_.max_read_write_size = std::min(limits_.max_read_write_size, response.max_read_write_size);
    credits_ = response.credits_granted;
    state_ = State::established;
}

void Session::agree(const Terms& peer) {
    require(peer.credits_requested != 0, "a negotiation that requests no credit");
    require(peer.max_receive_size >= kLeastMessage, "receives of less than 128 bytes");
    require(peer.max_fragmented_size >= kLeastFragmented, "messages of less than 128 KiB");
    --free_receives_;
    limits_.max_receive_size = std::max(kLeastMessage, std::min(limits_.max_receive_size, peer.preferred_send_size));
    limits_.max_send_size = std::min(limits_.max_send_size, peer.max_receive_size);
    max_fragmented_send_ = peer.max_fragmented_size;
    peer_wants_ = peer.credits_requested;
}

Terms Session::own_terms() const {
    return {limits_.send_credit_target, limits_.max_send_size, limits_.max_receive_size, limits_.max_fragmented_size};
}

// 3.1.5.8
void Session::take_data(Octets message) {
    const auto header = parse<DataTransfer>(message);
    require(header.credits_requested != 0, "a message that requests no credit");
    require(header.data_offset % 8 == 0, "data at an offset that is no multiple of 8");
    require(std::uint64_t{header.data_offset} + header.data_length <= message.size(), "data beyond the message");
    require(header.data_length == 0 || header.data_offset >= DataTransfer::kBytes, "data within the header");
    require(peer_credits_ != 0, "a message without a credit");
    require(std::uint64_t{credits_} + header.credits_granted <= 0xFFFF, "more credits than there can be");
    --peer_credits_;
    credits_ += header.credits_granted;
    peer_wants_ = header.credits_requested;
    response_requested_ |= (header.flags & DataTransfer::kResponseRequested) != 0;
    if (header.data_length == 0) return;

    data_came_ = true;
    const std::uint64_t rest = std::uint64_t{header.data_length} + header.remaining_data_length;
    require(incoming_.empty() ? rest <= limits_.max_fragmented_size : rest == incoming_rest_,
            "a fragment that does not continue its message");
    const Octets data = message.subspan(header.data_offset, header.data_length);
    incoming_.insert(incoming_.end(), data.begin(), data.end());
    incoming_rest_ = header.remaining_data_length;
    if (incoming_rest_ == 0) whole_.push_back(std::exchange(incoming_, {}));
}

void Session::send(std::vector<std::byte> data, std::optional<std::uint32_t> invalidate) {
    if (data.empty() || data.size() > max_fragmented_send_)
        throw std::length_error("the peer takes messages of 1 to " + std::to_string(max_fragmented_send_) + " bytes");
    outgoing_.push_back({std::move(data), 0, invalidate});
}

std::optional<std::vector<std::byte>> Session::received() {
    if (whole_.empty()) return {};
    std::optional<std::vector<std::byte>> data(std::move(whole_.front()));
    whole_.pop_front();
    return data;
}

std::optional<Session::Outgoing> Session::next(std::span<std::byte> room) {
    switch (state_) {
        case State::requesting: return Outgoing{write_request(room), {}};
        case State::responding:
        case State::refusing: return Outgoing{write_response(room), {}};
        case State::established: return next_data(room);
        default: return {};
    }
}

// 3.1.5.2
std::size_t Session::write_request(std::span<std::byte> room) {
    write(NegotiateRequest{own_terms()}, room);
    state_ = State::awaiting_response;
    return NegotiateRequest::kBytes;
}

// 3.1.5.3
std::size_t Session::write_response(std::span<std::byte> room) {
    NegotiateResponse response;
    if (state_ == State::refusing) {
        response.status = kNotSupported;
        state_ = State::refused;
    } else {
        response = {own_terms()};
        response.negotiated_version = kVersion;
        response.max_read_write_size = limits_.max_read_write_size;
        response.credits_granted = grant();
        state_ = State::established;
    }
    write(response, room);
    return NegotiateResponse::kBytes;
}

// Rules 3 and 6, 3.1.5.9
std::uint32_t Session::owed() const {
    const bool full = goal() <= peer_credits_ || whole_.size() > limits_.most_waiting;
    return full ? 0 : std::min(goal() - peer_credits_, free_receives_);
}

// Rule 4
bool Session::must_grant() const {
    const std::uint32_t few = std::max<std::uint32_t>(1, goal() / 2);
    return owed() != 0 && (peer_credits_ == 0 || (data_came_ && peer_credits_ <= few));
}

// For a message that is sent now.
std::uint16_t Session::grant() {
    const std::uint32_t last = credits_ == 1 ? 2 - std::min(peer_credits_, 1u) : 0;  // rule 2
    const std::uint32_t granted = std::max(owed(), std::min(last, free_receives_));
    peer_credits_ += granted, free_receives_ -= granted;
    return static_cast<std::uint16_t>(granted);
}

// 3.1.5.1 and 3.1.5.4
std::optional<Session::Outgoing> Session::next_data(std::span<std::byte> room) {
    if (outgoing_.empty() && !response_requested_ && !must_grant()) return {};
    if (credits_ == 0 || (credits_ == 1 && free_receives_ == 0)) return {};
    DataTransfer header;
    header.credits_requested = limits_.send_credit_target;
    header.credits_granted = grant();
    --credits_;

    Outgoing result{DataTransfer::kBytes, {}};
    if (!outgoing_.empty()) {
        Data& data = outgoing_.front();
        const std::size_t left = data.octets.size() - data.sent;
        header.data_offset = DataTransfer::kDataOffset;
        header.data_length =
            static_cast<std::uint32_t>(std::min<std::size_t>(left, limits_.max_send_size - DataTransfer::kDataOffset));
        header.remaining_data_length = static_cast<std::uint32_t>(left - header.data_length);
        std::memset(room.data(), 0, header.data_offset);
        std::memcpy(room.data() + header.data_offset, data.octets.data() + data.sent, header.data_length);
        data.sent += header.data_length;
        result.bytes = header.data_offset + header.data_length;
        if (header.remaining_data_length == 0) {
            result.invalidate = data.invalidate;
            outgoing_.pop_front();
        }
    }
    write(header, room);
    response_requested_ = data_came_ = false;
    return result;
}

}  // namespace smb_direct
