// SPDX-License-Identifier: MIT
// Unix SOCK_SEQPACKET sockets; see local_socket.h.
#include "platform/descriptor/local_socket.h"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/log.h"
#include "base/until_memory.h"
#include "platform/descriptor/foreign_descriptor.h"
#include "platform/process/errno_status.h"

namespace opennd {
namespace {

constexpr int kType = SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC;

// Room for one SCM_RIGHTS message.
template <std::size_t kDescriptors>
struct alignas(cmsghdr) ControlBuffer {
    std::array<std::byte, CMSG_SPACE(sizeof(int) * kDescriptors)> bytes;
};
// The most descriptors in one packet (the kernel's SCM_MAX_FD). The kernel would close those without room here, in this
// thread.
constexpr std::size_t kMostOfAnyPeer = 253;

struct AbstractAddress {
    sockaddr_un address{};
    socklen_t bytes = 0;  // an abstract name ends where the address does, not at a zero
};

Result<AbstractAddress> abstract_address(std::string_view name) {
    AbstractAddress result;
    constexpr std::size_t kLimit = sizeof result.address.sun_path - 1;
    if (name.empty() || name.size() > kLimit) {
        log(LogLevel::warn, "local socket: a name of {} bytes was given, 1 to {} are possible", name.size(), kLimit);
        return Status::invalid_parameter;
    }
    result.address.sun_family = AF_UNIX;
    std::memcpy(result.address.sun_path + 1, name.data(), name.size());
    result.bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    return result;
}

const sockaddr* as_sockaddr(const AbstractAddress& name) { return reinterpret_cast<const sockaddr*>(&name.address); }

Status connect_status(int error) {
    switch (error) {
        case EAGAIN: return Status::would_block;  // the backlog is full
        case EPROTOTYPE:                          // the name belongs to another type of socket
        case ECONNREFUSED:
        case ENOENT: return Status::connection_refused;
        case EPERM: return Status::access_violation;
        default: return resource_status(error);
    }
}

// The connection's Status after a failed sendmsg or recvmsg.
Status transfer_status(int error) {
    switch (error) {
        case EAGAIN: return Status::would_block;
        case EMSGSIZE: return Status::message_too_long;
        case EINVAL:
        case EBADF: return Status::invalid_parameter;
        case ENOTCONN:
        case ECONNREFUSED:
        case ECONNRESET:
        case EPIPE: return Status::disconnected;
        default: return resource_status(error);
    }
}

using OwnDescriptors = ControlBuffer<LocalSocket::kMaxDescriptors>;

void put_descriptors(msghdr& message, OwnDescriptors& control, std::span<const int> descriptors) {
    if (descriptors.empty()) return;
    control.bytes.fill({});
    message.msg_control = control.bytes.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
}

std::vector<ForeignDescriptor> take_descriptors(msghdr& message) {
    std::vector<ForeignDescriptor> result;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        until_memory([&] { result.reserve(result.size() + count); });  // the packet comes no second time
        for (std::size_t i = 0; i < count; ++i) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
            result.emplace_back(Descriptor(fd));
        }
    }
    return result;
}

// Packets without descriptors that are received at the end of a socket, so that no peer makes that long.
constexpr int kMostReadAtEnd = 16;

enum class Unread { nothing, bytes, files };

// The first packet of a socket with SO_PASSCRED, which stays there. An empty packet reads like the end; but only a packet
// brings its sender's credentials. There is room for these alone, and the kernel says if there was more.
Unread first_unread(int fd) {
    alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(ucred))> control;
    msghdr message{};
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    ssize_t length = 0;
    do length = ::recvmsg(fd, &message, MSG_PEEK | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (length < 0 && (errno == EINTR || errno == ECONNRESET));
    if (length < 0) return errno == EAGAIN || errno == ENOTCONN ? Unread::nothing : Unread::files;
    if (!CMSG_FIRSTHDR(&message)) return Unread::nothing;
    return (message.msg_flags & MSG_CTRUNC) != 0 ? Unread::files : Unread::bytes;
}

constexpr unsigned long kListens = 0x10000;  // __SO_ACCEPTCON

// "Num: RefCount Protocol Flags Type St Inode Path"; an abstract path begins with "@".
constexpr int kFlagsColumn = 3, kPathColumn = 7;

std::string_view take_column(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const std::string_view column = line.substr(0, line.find(' '));
    line.remove_prefix(column.size());
    return column;
}

}  // namespace

Result<LocalSocket> LocalSocket::connect(std::string_view abstract_name) {
    const Result<AbstractAddress> name = abstract_address(abstract_name);
    if (!name.ok()) return name.status();
    if (const Status room = closing_keeps_up(LogCause::program); !ok(room)) return room;
    Descriptor fd = Descriptor::made([] { return ::socket(AF_UNIX, kType, 0); });
    if (!fd) return resource_status(errno);
    // Unix connects complete or fail at once; there is no EINPROGRESS, and no event reports room in a backlog.
    if (::connect(fd.get(), as_sockaddr(name.value()), name.value().bytes) != 0) return connect_status(errno);
    return LocalSocket(std::move(fd));
}

Result<std::pair<LocalSocket, LocalSocket>> LocalSocket::pair() {
    int ends[2];
    const Descriptor::Opening opening;
    if (::socketpair(AF_UNIX, kType, 0, ends) != 0) return resource_status(errno);
    return std::pair(LocalSocket(Descriptor(ends[0])), LocalSocket(Descriptor(ends[1])));
}

LocalSocket& LocalSocket::operator=(LocalSocket&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(peer_, other.peer_);
    return *this;
}

LocalSocket::~LocalSocket() {
    if (!fd_) return;
    shut_down();  // no packet comes any more
    if (may_hold_files()) close_apart(std::move(fd_));
}

// Receives the packets without descriptors: most sockets end with a farewell or a wake-up in them, and closing those waits for
// nobody.
bool LocalSocket::may_hold_files() {
    const int on = 1;
    if (::setsockopt(fd_.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) return true;
    for (int packet = 0; packet < kMostReadAtEnd; ++packet) {
        const Unread first = first_unread(fd_.get());
        if (first != Unread::bytes) return first == Unread::files;
        msghdr message{};
        if (::recvmsg(fd_.get(), &message, MSG_DONTWAIT) < 0) return true;
    }
    return true;
}

void LocalSocket::shut_down() { (void)::shutdown(fd_.get(), SHUT_RDWR); }

Status LocalSocket::send(std::span<const std::byte> bytes, std::span<const int> descriptors) {
    if (bytes.empty() || descriptors.size() > kMaxDescriptors) {
        log(LogLevel::warn,
            "local socket: a packet of {} bytes and {} descriptors cannot be sent; 1 byte or more and at most "
            "{} descriptors can",
            bytes.size(), descriptors.size(), kMaxDescriptors);
        return Status::invalid_parameter;
    }
    iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    OwnDescriptors control;
    put_descriptors(message, control, descriptors);
    while (::sendmsg(fd_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
        if (errno != EINTR) return transfer_status(errno);
    }
    return Status::success;
}

Result<LocalSocket::Packet> LocalSocket::receive(std::span<std::byte> buffer) {
    iovec part{buffer.data(), buffer.size()};
    ControlBuffer<kMostOfAnyPeer> control;
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes.data();
    message.msg_controllen = control.bytes.size();
    ssize_t length = 0;
    bool reset = false;
    while ((length = ::recvmsg(fd_.get(), &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT)) < 0) {
        // A peer that closes with packets of ours unread makes the kernel report this once, before the peer's last
        // packets.
        if (errno == ECONNRESET && !std::exchange(reset, true)) continue;
        if (errno != EINTR) return transfer_status(errno);
    }
    Packet packet;
    packet.descriptors = take_descriptors(message);  // first: they must be closed on every path
    if (length == 0) return Status::disconnected;
    packet.bytes = static_cast<std::size_t>(length);
    packet.truncated = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
    if (packet.descriptors.size() > kMaxDescriptors) {
        packet.descriptors.erase(packet.descriptors.begin() + kMaxDescriptors, packet.descriptors.end());
        packet.truncated = true;
    }
    return packet;
}

bool LocalSocket::has_unread() const {
    int bytes = 0;
    return ::ioctl(fd_.get(), SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

bool LocalSocket::readable() const {
    pollfd poll{fd_.get(), POLLIN, 0};
    return ::poll(&poll, 1, 0) > 0;
}

Result<LocalSocket::PeerIdentity> LocalSocket::peer() {
    if (peer_) return *peer_;
    ucred credentials{};
    socklen_t bytes = sizeof credentials;
    if (::getsockopt(fd_.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &bytes) != 0) return status_from_errno(errno);
    // A socket that never had a peer reports no process.
    if (credentials.uid == static_cast<uid_t>(-1)) return Status::not_connected;
    peer_ = PeerIdentity{credentials.pid, credentials.uid, match_own_user(credentials.uid)};
    return *peer_;
}

Result<LocalListener> LocalListener::bind(std::string_view abstract_name) {
    const Result<AbstractAddress> name = abstract_address(abstract_name);
    if (!name.ok()) return name.status();
    Descriptor fd = Descriptor::made([] { return ::socket(AF_UNIX, kType, 0); });
    if (!fd) return resource_status(errno);
    if (::bind(fd.get(), as_sockaddr(name.value()), name.value().bytes) != 0)
        return errno == EADDRINUSE ? Status::address_in_use : resource_status(errno);
    return LocalListener(std::move(fd));
}

LocalListener& LocalListener::operator=(LocalListener&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

LocalListener::~LocalListener() {
    if (!fd_) return;
    (void)::shutdown(fd_.get(), SHUT_RDWR);  // ends new connections; waiting ones can still be taken
    while (true) {
        const Result<LocalSocket> waiting = take();
        if (waiting.ok()) continue;
        const bool all_taken = waiting.status() == Status::would_block || waiting.status() == Status::invalid_parameter;
        if (!all_taken) close_apart(std::move(fd_));
        return;
    }
}

Status LocalListener::listen(int backlog) {
    return ::listen(fd_.get(), backlog) == 0 ? Status::success : resource_status(errno);
}

Result<LocalSocket> LocalListener::accept() {
    const Status room = closing_keeps_up(LogCause::caller);
    return ok(room) ? take() : room;
}

Result<LocalSocket> LocalListener::take() {
    for (;;) {
        Descriptor fd =
            Descriptor::made([&] { return ::accept4(fd_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC); });
        if (fd) return LocalSocket(std::move(fd));
        // ECONNABORTED: that peer gave up while waiting; look for the next.
        if (errno != EINTR && errno != ECONNABORTED) return status_from_errno(errno);
    }
}

std::vector<std::string> local_names(std::string_view prefix) {
    std::vector<std::string> names;
    std::ifstream table("/proc/net/unix");
    for (std::string text; std::getline(table, text);) {
        std::string_view rest = text;
        unsigned long flags = 0;
        for (int column = 0; column < kPathColumn; ++column) {
            const std::string_view word = take_column(rest);
            if (column == kFlagsColumn) flags = std::strtoul(std::string(word).c_str(), nullptr, 16);
        }
        rest.remove_prefix(std::min<std::size_t>(rest.size(), 1));
        if ((flags & kListens) == 0 || !rest.starts_with('@')) continue;
        rest.remove_prefix(1);
        if (rest.starts_with(prefix)) names.emplace_back(rest);
    }
    return names;
}

}  // namespace opennd
