// SPDX-License-Identifier: MIT
//
// RawPeer: see raw_peer.h.
#include "hostile/raw_peer.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace opennd::hostile {
namespace {

constexpr int kPatienceMs = 10'000;
constexpr int kPauseMs = 250;

// Bit by bit, as the polynomial is defined.
std::uint32_t crc32c(const Octets& octets) {
    std::uint32_t crc = 0xffffffff;
    for (const std::uint8_t octet : octets) {
        crc ^= octet;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78u : 0u);
    }
    return ~crc;
}

Octets crc_octets(const Octets& octets) {
    const std::uint32_t crc = crc32c(octets);
    Octets bytes;
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(crc >> (8 * i)));
    return bytes;
}

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

void require(bool condition, const char* what) {
    if (!condition) throw std::runtime_error(what);
}

}  // namespace

Octets joined(std::initializer_list<Octets> parts) {
    Octets all;
    for (const Octets& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

Octets number(std::uint64_t value, std::size_t octets) {
    Octets bytes;
    for (std::size_t i = octets; i > 0; --i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * (i - 1))));
    return bytes;
}

Octets usual_terms() { return number32(0x8010c010); }

Octets octets_of(const Frame& frame) {
    const std::string key = frame.reply ? "MPA ID Rep Frame" : "MPA ID Req Frame";
    const Octets data = joined({frame.enhanced, frame.data});
    const auto length = frame.length.value_or(static_cast<std::uint16_t>(data.size()));
    return joined({Octets(key.begin(), key.end()), {frame.flags, frame.revision}, number(length, 2), data});
}

Octets fpdu(const Octets& ulpdu) {
    Octets all = joined({number(ulpdu.size(), 2), ulpdu});
    while (all.size() % 4 != 0) all.push_back(0);
    return joined({all, crc_octets(all)});
}

Octets tagged(std::uint8_t opcode, std::uint32_t stag, std::uint64_t offset, const Octets& payload, bool last) {
    const auto first = static_cast<std::uint8_t>(last ? 0xc1 : 0x81);
    return joined({{first, static_cast<std::uint8_t>(0x40 | opcode)}, number32(stag), number64(offset), payload});
}

Octets untagged(std::uint8_t opcode, std::uint32_t queue, std::uint32_t msn, std::uint32_t offset,
                const Octets& payload, bool last, std::uint32_t invalidate) {
    const auto first = static_cast<std::uint8_t>(last ? 0x41 : 0x01);
    return joined({{first, static_cast<std::uint8_t>(0x40 | opcode)},
                   number32(invalidate),
                   number32(queue),
                   number32(msn),
                   number32(offset),
                   payload});
}

Octets send(std::uint32_t msn, const Octets& payload, bool last, std::uint32_t offset) {
    return untagged(3, 0, msn, offset, payload, last);
}

Octets read_request(std::uint32_t msn, std::uint32_t source, std::uint64_t source_offset, std::uint32_t size,
                    std::uint32_t sink, std::uint64_t sink_offset) {
    return untagged(
        1, 1, msn, 0,
        joined({number32(sink), number64(sink_offset), number32(size), number32(source), number64(source_offset)}));
}

Octets opening(std::uint64_t offset) { return fpdu(tagged(0, 1, offset)); }

RawPeer RawPeer::connected_to(std::uint16_t port, int segment_bytes, std::uint8_t host) {
    RawPeer peer = unconnected();
    if (segment_bytes != 0) ::setsockopt(peer.socket_, IPPROTO_TCP, TCP_MAXSEG, &segment_bytes, sizeof segment_bytes);
    sockaddr_in own = loopback(0);
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + host);
    require(host == 1 || ::bind(peer.socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0,
            "cannot bind a raw peer");
    peer.connect_to(port);
    return peer;
}

RawPeer RawPeer::unconnected() { return RawPeer(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

void RawPeer::connect_to(std::uint16_t port) {
    const sockaddr_in address = loopback(port);
    require(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0,
            "cannot connect to the listener");
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool RawPeer::is_refused(std::uint8_t host, std::uint16_t port) {
    const RawPeer peer(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = loopback(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + host);
    return ::connect(peer.socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
           errno == ECONNREFUSED;
}

RawPeer::RawPeer(RawPeer&& other) noexcept : socket_(std::exchange(other.socket_, -1)), was_reset_(other.was_reset_) {}

RawPeer::~RawPeer() {
    if (socket_ >= 0) ::close(socket_);
}

// Octets that the other side does not take any more are no error of the test. A reset that send() reports is reported by nothing
// else afterwards.
void RawPeer::say(const Octets& octets) {
    const ssize_t sent = ::send(socket_, octets.data(), octets.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == ECONNRESET) was_reset_ = true;
}

void RawPeer::say_one_by_one(const Octets& octets) {
    for (const std::uint8_t octet : octets) say({octet});
}

void RawPeer::say_urgently(const Octets& octets) {
    (void)::send(socket_, octets.data(), octets.size(), MSG_NOSIGNAL | MSG_OOB);
}

std::size_t RawPeer::say_slowly(const Octets& octets) {
    std::size_t said = 0;
    pollfd entry{socket_, POLLRDHUP, 0};
    while (said < octets.size() && ::poll(&entry, 1, kPauseMs) == 0) say({octets[said++]});
    return said;
}

Octets RawPeer::hear(std::size_t octets) {
    Octets heard(octets);
    std::size_t size = 0;
    while (size < octets) {
        pollfd entry{socket_, POLLIN, 0};
        if (::poll(&entry, 1, kPatienceMs) != 1) break;
        const ssize_t received = ::recv(socket_, heard.data() + size, octets - size, 0);
        if (received <= 0) break;
        size += static_cast<std::size_t>(received);
    }
    heard.resize(size);
    return heard;
}

Octets RawPeer::hear_slowly(std::size_t octets, std::size_t at_a_time) {
    Octets heard;
    while (heard.size() < octets) {
        pollfd never{-1, 0, 0};
        (void)::poll(&never, 1, kPauseMs);
        const Octets more = hear(std::min(at_a_time, octets - heard.size()));
        heard.insert(heard.end(), more.begin(), more.end());
        if (more.empty()) break;
    }
    return heard;
}

Octets RawPeer::hear_frame() {
    Octets header = hear(20);
    if (header.size() < 20) return {};
    return joined({header, hear(static_cast<std::size_t>(header[18] << 8 | header[19]))});
}

std::optional<Octets> RawPeer::hear_ulpdu() {
    const Octets length = hear(2);
    if (length.size() < 2) return std::nullopt;
    const auto size = static_cast<std::size_t>(length[0] << 8 | length[1]);
    const std::size_t pad = (4 - (2 + size) % 4) % 4;
    const Octets rest = hear(size + pad + 4);
    if (rest.size() < size + pad + 4) return std::nullopt;
    const Octets checked = joined({length, Octets(rest.begin(), rest.end() - 4)});
    require(Octets(rest.end() - 4, rest.end()) == crc_octets(checked), "an FPDU with a wrong CRC came");
    return Octets(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(size));
}

std::string RawPeer::hear_terminate() {
    while (const auto ulpdu = hear_ulpdu()) {
        if (ulpdu->size() < 22 || ((*ulpdu)[1] & 0x0f) != 7) continue;
        char text[16];
        std::snprintf(text, sizeof text, "%d/%d/%02X", (*ulpdu)[18] >> 4, (*ulpdu)[18] & 0x0f, (*ulpdu)[19]);
        return text;
    }
    return "";
}

StreamEnd RawPeer::stream_end() {
    for (;;) {
        pollfd entry{socket_, POLLIN, 0};
        if (::poll(&entry, 1, kPatienceMs) != 1) return StreamEnd::none;
        std::uint8_t dropped[4096];
        const ssize_t received = ::recv(socket_, dropped, sizeof dropped, 0);
        if (received == 0) return StreamEnd::in_order;
        if (received < 0) return errno == ECONNRESET || errno == EPIPE ? StreamEnd::reset : StreamEnd::none;
    }
}

bool RawPeer::is_reset() { return is_reset(kPatienceMs); }

bool RawPeer::is_reset(int milliseconds) {
    if (was_reset_) return true;
    pollfd entry{socket_, 0, 0};
    return ::poll(&entry, 1, milliseconds) == 1 && (entry.revents & POLLERR) != 0;
}

bool RawPeer::is_answered(int milliseconds) {
    pollfd entry{socket_, POLLIN, 0};
    return ::poll(&entry, 1, milliseconds) == 1;
}

void RawPeer::end() { ::shutdown(socket_, SHUT_WR); }

void RawPeer::reset() {
    const linger now{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    ::close(std::exchange(socket_, -1));
}

RawListener::RawListener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    require(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) == 0 && ::listen(socket_, 8) == 0 &&
                ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0,
            "no listening socket");
    port_ = ntohs(address.sin_port);
}

RawListener::~RawListener() { ::close(socket_); }

RawPeer RawListener::accept() {
    pollfd entry{socket_, POLLIN, 0};
    require(::poll(&entry, 1, kPatienceMs) == 1, "nobody connected");
    return RawPeer(::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC));
}

}  // namespace opennd::hostile
