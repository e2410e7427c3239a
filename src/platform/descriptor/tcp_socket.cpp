// SPDX-License-Identifier: MIT
// TcpSocket and TcpListener: see tcp_socket.h.
#include "platform/descriptor/tcp_socket.h"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/log.h"
#include "platform/process/errno_status.h"

namespace opennd {
namespace {

// Unsent bytes in the kernel beyond which a socket counts as full, so that answers need not queue behind megabytes.
constexpr int kUnsentBytes = 512 * 1024;
// The smallest segment that IPv4 guarantees.
constexpr std::size_t kLeastSegmentBytes = 536;

void set(int fd, int level, int option, int value) { (void)::setsockopt(fd, level, option, &value, sizeof value); }

void set_linger(int fd, bool reset) {
    const linger option{reset ? 1 : 0, 0};
    (void)::setsockopt(fd, SOL_SOCKET, SO_LINGER, &option, sizeof option);
}

// A connection that cannot have one of these works without it, or of those below.
void prepare(int fd, const TcpOptions& options) {
    set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    set(fd, SOL_SOCKET, SO_OOBINLINE, 1);  // urgent data are part of the stream
    set(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, kUnsentBytes);
    set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(options.dead_after.count()));
}

void probe_when_idle(int fd, const TcpOptions& options) {
    const int seconds = static_cast<int>(options.dead_after.count() / 1000);
    const int idle = std::max(1, seconds / 2), interval = std::max(1, seconds / 6);
    set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(fd, IPPROTO_TCP, TCP_KEEPIDLE, idle);
    set(fd, IPPROTO_TCP, TCP_KEEPINTVL, interval);
    set(fd, IPPROTO_TCP, TCP_KEEPCNT, std::clamp((seconds - idle) / interval, 1, 3));
}

std::optional<tcp_info> info_of(int fd) {
    tcp_info info{};
    socklen_t length = sizeof info;
    // An older kernel than this header tells less.
    if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 ||
        length < offsetof(tcp_info, tcpi_total_retrans) + sizeof info.tcpi_total_retrans)
        return std::nullopt;
    return info;
}

// Segments or probes are on their way that nobody has acknowledged though they were sent again. The system still tells it of a
// connection that is over.
bool awaits_answer(int fd) {
    const auto info = info_of(fd);
    return info && (info->tcpi_retransmits > 0 || info->tcpi_probes > 0);
}

// Why a connection broke. The system keeps the reports of routers until it gives up.
Status broken_by(int error, int fd) {
    switch (error) {
        case ECONNRESET:
        case EPIPE:  // a reset behind the peer's end
        case ECONNABORTED: return awaits_answer(fd) ? Status::timed_out : Status::connection_aborted;
        case ETIMEDOUT:
        case EHOSTUNREACH:
        case EHOSTDOWN:
        case ENONET:
        case ENETUNREACH:
        case ENETDOWN:
        case ECONNREFUSED:
        case ENOPROTOOPT:
        case EPROTO:
        case EACCES: return Status::timed_out;
        default: return resource_status(error);
    }
}

std::atomic<bool> interface_refused{false};  // and the log says so; relaxed: nothing else is told by it

// Linux allows it without privileges from 5.7 on, to a socket that has no interface yet.
bool keep_to_interface(int fd, std::uint32_t interface) {
    const int index = static_cast<int>(interface);
    if (::setsockopt(fd, SOL_SOCKET, SO_BINDTOIFINDEX, &index, sizeof index) == 0) return true;
    if (!interface_refused.exchange(true, std::memory_order_relaxed))
        log(LogLevel::warn,
            "TCP: sockets cannot be kept to the interface of their adapter ({}; Linux 5.7 or newer allows it): where "
            "two interfaces are in one subnet, traffic leaves by the one that the routing table names first",
            std::strerror(errno));
    return false;
}

// `interface` 0: any.
Result<Descriptor> open(const Address& address, std::uint32_t interface) {
    Descriptor descriptor = Descriptor::made(
        [&] { return ::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP); });
    if (!descriptor) return resource_status(errno);
    if (address.is_ipv6()) set(descriptor.get(), IPPROTO_IPV6, IPV6_V6ONLY, 1);
    if (interface != 0) (void)keep_to_interface(descriptor.get(), interface);
    return descriptor;
}

Status bind_to(int fd, const Address& address) {
    const sockaddr_storage raw = address.to_sockaddr();
    const auto length = static_cast<socklen_t>(address.sockaddr_length());
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&raw), length) == 0) return Status::success;
    switch (errno) {
        case EADDRINUSE: return Status::address_in_use;
        case EADDRNOTAVAIL:
        case EACCES: return Status::invalid_address;  // a port that the system gives to privileged processes alone
        default: return resource_status(errno);
    }
}

template <typename Ask>
Result<Address> address_from(int fd, Ask ask) {
    sockaddr_storage raw{};
    socklen_t length = sizeof raw;
    if (ask(fd, reinterpret_cast<sockaddr*>(&raw), &length) != 0) return status_from_errno(errno);
    const auto address = Address::from(reinterpret_cast<const sockaddr*>(&raw), length);
    if (!address) return Status::invalid_address;
    return *address;
}

}  // namespace

Result<TcpSocket> TcpSocket::connect(const Address& local, const Address& remote, std::uint32_t interface,
                                     const TcpOptions& options) {
    auto opened = open(remote, interface);
    if (!opened.ok()) return opened.status();
    TcpSocket socket(opened.take());
    const int fd = socket.descriptor();
    set_linger(fd, true);
    // Reuse: other connections may have the named port already. Without a name, the port is chosen with the destination
    // known.
    set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (local.port() == 0) set(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
    if (const Status status = bind_to(fd, local); !ok(status)) return status;
    prepare(fd, options);
    const sockaddr_storage raw = remote.to_sockaddr();
    const auto length = static_cast<socklen_t>(remote.sockaddr_length());
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&raw), length) == 0 || errno == EINPROGRESS) return socket;
    if (errno == EADDRNOTAVAIL && local.port() == 0)
        return Status::insufficient_resources;  // of all ports none is free
    // Of well-formed addresses this is the refusal of a scope that is another link, or of a missing one.
    if (errno == EINVAL) return Status::network_unreachable;
    return status_from_errno(errno);
}

Status TcpSocket::outcome() const {
    int error = 0;
    socklen_t length = sizeof error;
    if (::getsockopt(descriptor(), SOL_SOCKET, SO_ERROR, &error, &length) != 0) error = errno;
    return error == 0 ? Status::success : status_from_errno(error);
}

Result<std::size_t> TcpSocket::send(std::span<const std::byte> bytes) {
    for (;;) {
        const ssize_t sent = ::send(descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0) return static_cast<std::size_t>(sent);
        if (errno == EINTR) continue;
        if (errno == EAGAIN) return Status::would_block;  // writability reports room, for this failure alone
        return errno == EPIPE ? Status::disconnected : broken_by(errno, descriptor());
    }
}

Result<std::size_t> TcpSocket::receive(std::span<std::byte> bytes) {
    for (;;) {
        const ssize_t received = ::recv(descriptor(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (received >= 0) return static_cast<std::size_t>(received);
        if (errno == EINTR) continue;
        if (errno == EAGAIN) return Status::would_block;
        return broken_by(errno, descriptor());
    }
}

Status TcpSocket::take_failure() {
    int error = 0;
    socklen_t length = sizeof error;
    if (::getsockopt(descriptor(), SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error == 0) return Status::success;
    return broken_by(error, descriptor());
}

bool TcpSocket::peer_closed() const {
    pollfd entry{descriptor(), POLLRDHUP, 0};
    return ::poll(&entry, 1, 0) == 1 && (entry.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

void TcpSocket::keep_after_exit() { set_linger(descriptor(), false); }

void TcpSocket::end_receiving() { (void)::shutdown(descriptor(), SHUT_RD); }
void TcpSocket::end_sending() { (void)::shutdown(descriptor(), SHUT_WR); }

void TcpSocket::reset() {
    if (!descriptor_) return;
    set_linger(descriptor(), true);
    close();
}

std::size_t TcpSocket::unacknowledged_bytes() const {
    int bytes = 0;
    return ::ioctl(descriptor(), SIOCOUTQ, &bytes) == 0 && bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

std::size_t TcpSocket::segment_bytes() const {
    int bytes = 0;
    socklen_t length = sizeof bytes;
    if (::getsockopt(descriptor(), IPPROTO_TCP, TCP_MAXSEG, &bytes, &length) != 0 || bytes <= 0)
        return kLeastSegmentBytes;
    return static_cast<std::size_t>(bytes);
}

std::optional<StreamUse> TcpSocket::use() const {
    const auto info = info_of(descriptor());
    if (!info) return std::nullopt;
    return StreamUse{.retransmitted = info->tcpi_total_retrans,
                     .timeouts = info->tcpi_retransmits,
                     .unacknowledged = info->tcpi_unacked,
                     .round_trip = std::chrono::microseconds(info->tcpi_rtt),
                     .since_sent = std::chrono::milliseconds(info->tcpi_last_data_sent),
                     .since_received = std::chrono::milliseconds(info->tcpi_last_data_recv)};
}

// Without segments on their way the window is closed, and is probed ever more rarely. With some it may be, too: then they are the
// probes, and not counted.
std::optional<PeerAnswers> TcpSocket::answers() const {
    const auto info = info_of(descriptor());
    if (!info) return std::nullopt;
    const bool complete =
        info->tcpi_unacked == 0 ? info->tcpi_probes == 0 : info->tcpi_last_ack_recv <= info->tcpi_last_data_sent;
    return PeerAnswers{std::chrono::milliseconds(info->tcpi_last_ack_recv), complete,
                       std::max(info->tcpi_retransmits, info->tcpi_probes)};
}

void TcpSocket::probe_when_idle(const TcpOptions& options) { opennd::probe_when_idle(descriptor(), options); }

bool TcpSocket::leave_silence_to_caller() {
    if (!info_of(descriptor())) return false;
    set(descriptor(), IPPROTO_TCP, TCP_USER_TIMEOUT, 0);
    return true;
}

Result<Address> TcpSocket::local_address() const { return address_from(descriptor(), ::getsockname); }
Result<Address> TcpSocket::peer_address() const { return address_from(descriptor(), ::getpeername); }

Result<TcpListener> TcpListener::bind(const Address& address, std::uint32_t interface) {
    auto opened = open(address, interface);
    if (!opened.ok()) return opened.status();
    TcpListener listener(opened.take());
    const int fd = listener.descriptor();
    // SO_REUSEADDR: remains of ended connections do not keep the port. With it other sockets could bind the same port
    // until one listens; so this socket listens for a moment, and afterwards shares the port with none.
    set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (const Status status = bind_to(fd, address); !ok(status)) return status;
    if (address.port() == 0) return listener;  // an unnamed port ends with this moment
    if (::listen(fd, 0) != 0) return errno == EADDRINUSE ? Status::address_in_use : resource_status(errno);
    (void)::shutdown(fd, SHUT_RD);
    set(fd, SOL_SOCKET, SO_REUSEADDR, 0);
    return listener;
}

bool TcpListener::keep_to(std::uint32_t interface) { return keep_to_interface(descriptor(), interface); }

// Its connections inherit the options, without a call for each.
Status TcpListener::listen(int backlog, const TcpOptions& options) {
    set(descriptor(), SOL_SOCKET, SO_REUSEADDR, 1);
    set_linger(descriptor(), true);
    prepare(descriptor(), options);
    probe_when_idle(descriptor(), options);
    if (::listen(descriptor(), backlog) == 0) return Status::success;
    return errno == EADDRINUSE ? Status::address_in_use : resource_status(errno);
}

Result<TcpListener::Accepted> TcpListener::accept() {
    for (;;) {
        sockaddr_storage peer{};
        socklen_t length = sizeof peer;
        auto* const raw = reinterpret_cast<sockaddr*>(&peer);
        Descriptor accepted =
            Descriptor::made([&] { return ::accept4(descriptor(), raw, &length, SOCK_NONBLOCK | SOCK_CLOEXEC); });
        if (accepted) {
            if (const auto address = Address::from(raw, length))
                return Accepted{TcpSocket(std::move(accepted)), *address};
            continue;  // of no family that this listener has
        }
        // The connection at the front broke; there may be others behind it.
        if (errno == EINTR || errno == ECONNABORTED || errno == EPROTO) continue;
        return status_from_errno(errno);
    }
}

}  // namespace opennd
