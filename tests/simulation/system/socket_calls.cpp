// SPDX-License-Identifier: MIT
// The calls of sockets: TCP, and local ones. All descriptors are the simulation's.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "simulation/file/local_socket_file.h"
#include "simulation/file/tcp.h"
#include "simulation/system/call.h"
#include "simulation/system/real.h"
#include "simulation/world/network.h"
#include "simulation/world/process.h"

using namespace opennd::simulation;
using opennd::Address;
namespace real = opennd::simulation::real;

namespace {

// For source_address_for(): a datagram socket that is only ever connected.
class Datagram final : public File {
public:
    explicit Datagram(Machine& machine) : machine_(machine) {}
    std::string name() const override { return "datagram"; }
    int connect(World& world, const Address& remote) {
        if (!world.network().machine_of(remote)) return ENETUNREACH;
        for (const Address& own : machine_.addresses())
            if (own.family() == remote.family() && own.is_loopback() == remote.is_loopback()) {
                local_ = own.with_port(40000);
                return 0;
            }
        return ENETUNREACH;
    }
    const Address& local() const { return local_; }

private:
    Machine& machine_;
    Address local_;
};

std::string abstract_name(const sockaddr* raw, socklen_t length) {
    constexpr std::size_t kStart = offsetof(sockaddr_un, sun_path) + 1;
    return {reinterpret_cast<const char*>(raw) + kStart, length - kStart};
}

int put_address(const Address& address, sockaddr* raw, socklen_t* length) {
    const sockaddr_storage whole = address.to_sockaddr();
    std::memcpy(raw, &whole, std::min<std::size_t>(*length, address.sockaddr_length()));
    *length = static_cast<socklen_t>(address.sockaddr_length());
    return 0;
}

}  // namespace

extern "C" {

int socket(int domain, int type, int) {
    World& world = *calling_world();
    world.step(Step::opens, static_cast<std::uint64_t>(domain));
    FileTable& files = world.files();
    Process& process = world.process();
    if (domain == AF_NETLINK)
        return failed(EAFNOSUPPORT);  // a machine here has one interface, and no tables to ask for
    if (domain == AF_UNIX)
        return files.open(files.make<LocalSocketFile>(world, process, world.files().next_number()), process);
    if ((type & 0xf) == SOCK_DGRAM) return files.open(files.make<Datagram>(process.machine()), process);
    return files.open(files.make<Tcp>(world, process.machine(), world.files().next_number()), process);
}

int socketpair(int, int, int, int ends[2]) {
    World& world = *calling_world();
    world.step(Step::opens, AF_UNIX);
    auto& one = world.files().make<LocalSocketFile>(world, world.process(), world.files().next_number());
    auto& other = world.files().make<LocalSocketFile>(world, world.process(), world.files().next_number());
    one.join(other);
    ends[0] = world.files().open(one, world.process());
    ends[1] = world.files().open(other, world.process());
    return 0;
}

int bind(int fd, const sockaddr* raw, socklen_t length) {
    World& world = *calling_world();
    world.step(Step::opens);
    if (auto* const local = found<LocalSocketFile>(fd)) return outcome(local->bind(abstract_name(raw, length)));
    Tcp* const tcp = found<Tcp>(fd);
    return tcp ? outcome(tcp->bind(*Address::from(raw, length))) : failed(EBADF);
}

int listen(int fd, int backlog) __THROW {
    World& world = *calling_world();
    world.step(Step::opens);
    if (auto* const local = found<LocalSocketFile>(fd)) return outcome(local->listen(backlog));
    Tcp* const tcp = found<Tcp>(fd);
    return tcp ? outcome(tcp->listen(backlog)) : failed(EBADF);
}

int connect(int fd, const sockaddr* raw, socklen_t length) {
    World& world = *calling_world();
    world.step(Step::connects);
    int error = EBADF;
    if (auto* const local = found<LocalSocketFile>(fd))
        error = local->connect(abstract_name(raw, length));
    else if (auto* const datagram = found<Datagram>(fd))
        error = datagram->connect(world, *Address::from(raw, length));
    else if (Tcp* const tcp = found<Tcp>(fd))
        error = tcp->connect(*Address::from(raw, length));
    world.step(Step::connects, static_cast<std::uint64_t>(error));
    return outcome(error);
}

int accept4(int fd, sockaddr* raw, socklen_t* length, int) {
    World& world = *calling_world();
    world.step(Step::accepts);
    File* accepted = nullptr;
    if (auto* const local = found<LocalSocketFile>(fd)) {
        if (!local->listening()) return failed(EINVAL);
        accepted = local->accept();
    } else if (Tcp* const tcp = found<Tcp>(fd)) {
        if (!tcp->listening()) return failed(EINVAL);
        accepted = tcp->accept();
    } else {
        return failed(EBADF);
    }
    if (!accepted) return nothing(world, Step::accepts);
    if (auto* const tcp = dynamic_cast<Tcp*>(accepted); tcp && raw) (void)put_address(tcp->remote(), raw, length);
    return world.files().open(*accepted, world.process());
}

ssize_t send(int fd, const void* bytes, size_t length, int) {
    World& world = *calling_world();
    world.idle_step(Step::sends, length);
    Tcp* const tcp = found<Tcp>(fd);
    const ssize_t sent = tcp ? tcp->send({static_cast<const std::byte*>(bytes), length}) : -EBADF;
    return end_of(world, Step::sends, length, sent);
}

ssize_t recv(int fd, void* bytes, size_t length, int) {
    World& world = *calling_world();
    world.idle_step(Step::takes, length);
    Tcp* const tcp = found<Tcp>(fd);
    const ssize_t received = tcp ? tcp->receive({static_cast<std::byte*>(bytes), length}) : -EBADF;
    return end_of(world, Step::takes, length, received);
}

ssize_t sendmsg(int fd, const msghdr* message, int) {
    World& world = *calling_world();
    world.idle_step(Step::sends);
    auto* const local = found<LocalSocketFile>(fd);
    if (!local) return failed(EBADF);
    const iovec& part = message->msg_iov[0];
    std::vector<int> descriptors;
    if (message->msg_controllen > 0) {
        const cmsghdr* const header = CMSG_FIRSTHDR(message);
        descriptors.resize((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        std::memcpy(descriptors.data(), CMSG_DATA(header), descriptors.size() * sizeof(int));
    }
    const int error = local->send({static_cast<const std::byte*>(part.iov_base), part.iov_len}, descriptors);
    return end_of(world, Step::sends, part.iov_len, error == 0 ? static_cast<ssize_t>(part.iov_len) : -error);
}

ssize_t recvmsg(int fd, msghdr* message, int flags) {
    World& world = *calling_world();
    world.idle_step(Step::takes);
    auto* const local = found<LocalSocketFile>(fd);
    if (!local) return failed(EBADF);
    // The library peeks before it closes a socket, for packets that a thread of its own must close. That thread is real and one
    // for all processes, so the simulation shows no packets and closes them itself.
    if ((flags & MSG_PEEK) != 0) return failed(EAGAIN);
    LocalSocketFile::Packet packet;
    if (const int error = local->receive(packet); error != 0) return end_of(world, Step::takes, 0, -error);
    const iovec& part = message->msg_iov[0];
    const std::size_t length = std::min(part.iov_len, packet.bytes.size());
    if (length > 0) std::memcpy(part.iov_base, packet.bytes.data(), length);
    message->msg_flags = packet.bytes.size() > length ? MSG_TRUNC : 0;
    const std::size_t room = message->msg_controllen;
    message->msg_controllen = 0;
    if (!packet.descriptors.empty()) {
        const std::size_t bytes = packet.descriptors.size() * sizeof(int);
        if (room >= CMSG_SPACE(bytes)) {
            message->msg_controllen = CMSG_SPACE(bytes);
            cmsghdr* const header = CMSG_FIRSTHDR(message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SCM_RIGHTS;
            header->cmsg_len = CMSG_LEN(bytes);
            std::memcpy(CMSG_DATA(header), packet.descriptors.data(), bytes);
        } else {
            for (const int descriptor : packet.descriptors) real::close(descriptor);
            message->msg_flags |= MSG_CTRUNC;
        }
    }
    world.step(Step::takes, length);
    return static_cast<ssize_t>(length);
}

int shutdown(int fd, int how) __THROW {
    World& world = *calling_world();
    world.step(Step::closes);
    if (auto* const local = found<LocalSocketFile>(fd)) {
        local->shut_down();
        return 0;
    }
    Tcp* const tcp = found<Tcp>(fd);
    return tcp ? outcome(tcp->shut_down(how)) : failed(EBADF);
}

int setsockopt(int fd, int level, int option, const void* value, socklen_t) __THROW {
    if (Tcp* const tcp = found<Tcp>(fd)) tcp->set_option(level, option, value);
    return 0;
}

int getsockopt(int fd, int level, int option, void* value, socklen_t* length) __THROW {
    if (auto* const local = found<LocalSocketFile>(fd)) {
        if (level != SOL_SOCKET || option != SO_PEERCRED) return failed(ENOPROTOOPT);
        const Process* const peer = local->peer();
        const ucred credentials{peer ? peer->id() : 0, peer ? ::geteuid() : static_cast<uid_t>(-1), ::getegid()};
        std::memcpy(value, &credentials, std::min<std::size_t>(*length, sizeof credentials));
        return 0;
    }
    Tcp* const tcp = found<Tcp>(fd);
    if (!tcp) return failed(EBADF);
    if (level == IPPROTO_TCP && option == TCP_INFO) {
        const tcp_info info = tcp->info();
        *length = std::min<socklen_t>(*length, sizeof info);
        std::memcpy(value, &info, *length);
        return 0;
    }
    int number = 0;
    if (level == SOL_SOCKET && option == SO_ERROR) number = tcp->take_error();
    if (level == IPPROTO_TCP && option == TCP_MAXSEG)
        number = tcp->path() ? static_cast<int>(tcp->path()->segment_bytes) : 536;
    std::memcpy(value, &number, sizeof number);
    return 0;
}

int getsockname(int fd, sockaddr* raw, socklen_t* length) __THROW {
    if (auto* const datagram = found<Datagram>(fd)) return put_address(datagram->local(), raw, length);
    Tcp* const tcp = found<Tcp>(fd);
    return tcp ? put_address(tcp->local(), raw, length) : failed(EBADF);
}

int getpeername(int fd, sockaddr* raw, socklen_t* length) __THROW {
    Tcp* const tcp = found<Tcp>(fd);
    if (!tcp) return failed(EBADF);
    return tcp->connected() ? put_address(tcp->remote(), raw, length) : failed(ENOTCONN);
}

}  // extern "C"
