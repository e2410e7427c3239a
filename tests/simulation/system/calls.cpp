// SPDX-License-Identifier: MIT
// The calls of the system that src/platform makes. Descriptors of the simulation are its own; all others, of memory above
// all, are the system's.
#include <dlfcn.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/futex.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "simulation/file/epoll.h"
#include "simulation/file/event_counter.h"
#include "simulation/file/local_socket_file.h"
#include "simulation/file/tcp.h"
#include "simulation/system/real.h"
#include "simulation/world/network.h"
#include "simulation/world/process.h"
#include "simulation/world/world.h"

using namespace opennd::simulation;
using opennd::Address;
namespace real = opennd::simulation::real;

namespace {

World* world() {
    World* const world = World::now_running();
    return world && world->current() ? world : nullptr;
}

int failed(int error) {
    errno = error;
    return -1;
}

int outcome(int error) { return error == 0 ? 0 : failed(error); }

// The end of a call that gives bytes, or a negative errno.
ssize_t end_of(World& world, Step step, size_t length, ssize_t result) {
    if (result == -EAGAIN)
        world.step_in_vain(step, length);
    else
        world.step(step, length, static_cast<std::uint64_t>(result));
    return result < 0 ? failed(static_cast<int>(-result)) : result;
}

// Nothing is there.
int nothing(World& world, Step step) {
    world.step_in_vain(step);
    return failed(EAGAIN);
}

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

template <typename T>
T* found(int fd) {
    return world()->files().find<T>(fd);
}

// As std::atomic waits and notifies, and with a time limit.
long futex(World& world, const long values[6]) {
    const auto* const word = reinterpret_cast<const int*>(values[0]);
    const auto operation = values[1] & FUTEX_CMD_MASK;
    if (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) {
        world.step(Step::sleeps);
        if (__atomic_load_n(word, __ATOMIC_RELAXED) != static_cast<int>(values[2])) return failed(EAGAIN);
        std::optional<Nanoseconds> deadline;
        if (const auto* const limit = reinterpret_cast<const timespec*>(values[3]); limit)
            deadline = (operation == FUTEX_WAIT ? world.time() : 0) + limit->tv_sec * kSecond + limit->tv_nsec;
        return world.wait(world.waiting_at(word), deadline) ? 0 : failed(ETIMEDOUT);
    }
    long woken = 0;
    while (woken < values[2] && world.wake_one(world.waiting_at(word))) ++woken;
    world.step(Step::woken);
    return woken;
}

// The interface of a machine as the kernel lists it: its link, and behind that its addresses.
struct InterfaceList {
    explicit InterfaceList(const Machine& machine) : addresses(machine.addresses().size()), rest(addresses.size()) {
        link.sll_family = AF_PACKET;
        link.sll_ifindex = 2;
        first = {rest.data(), name, IFF_UP, reinterpret_cast<sockaddr*>(&link), nullptr, {}, nullptr};
        for (std::size_t i = 0; i < rest.size(); ++i) {
            addresses[i] = machine.addresses()[i].to_sockaddr();
            ifaddrs* const next = i + 1 < rest.size() ? &rest[i + 1] : nullptr;
            rest[i] = {next, name, IFF_UP, reinterpret_cast<sockaddr*>(&addresses[i]), nullptr, {}, nullptr};
        }
    }

    ifaddrs first{};
    char name[8] = "sim0";
    sockaddr_ll link{};
    std::vector<sockaddr_storage> addresses;
    std::vector<ifaddrs> rest;
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
    World& world = *::world();
    world.step(Step::opens, static_cast<std::uint64_t>(domain));
    FileTable& files = world.files();
    Process& process = world.process();
    if (domain == AF_UNIX)
        return files.open(files.make<LocalSocketFile>(world, process, world.files().next_number()), process);
    if ((type & 0xf) == SOCK_DGRAM) return files.open(files.make<Datagram>(process.machine()), process);
    return files.open(files.make<Tcp>(world, process.machine(), world.files().next_number()), process);
}

int socketpair(int, int, int, int ends[2]) {
    World& world = *::world();
    world.step(Step::opens, AF_UNIX);
    auto& one = world.files().make<LocalSocketFile>(world, world.process(), world.files().next_number());
    auto& other = world.files().make<LocalSocketFile>(world, world.process(), world.files().next_number());
    one.join(other);
    ends[0] = world.files().open(one, world.process());
    ends[1] = world.files().open(other, world.process());
    return 0;
}

int bind(int fd, const sockaddr* raw, socklen_t length) {
    World& world = *::world();
    world.step(Step::opens);
    if (auto* const local = found<LocalSocketFile>(fd)) return outcome(local->bind(abstract_name(raw, length)));
    Tcp* const tcp = found<Tcp>(fd);
    return tcp ? outcome(tcp->bind(*Address::from(raw, length))) : failed(EBADF);
}

int listen(int fd, int backlog) __THROW {
    World& world = *::world();
    world.step(Step::opens);
    if (auto* const local = found<LocalSocketFile>(fd)) return outcome(local->listen(backlog));
    Tcp* const tcp = found<Tcp>(fd);
    return tcp ? outcome(tcp->listen(backlog)) : failed(EBADF);
}

int connect(int fd, const sockaddr* raw, socklen_t length) {
    World& world = *::world();
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

int accept4(int fd, sockaddr*, socklen_t*, int) {
    World& world = *::world();
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
    return accepted ? world.files().open(*accepted, world.process()) : nothing(world, Step::accepts);
}

ssize_t send(int fd, const void* bytes, size_t length, int) {
    World& world = *::world();
    world.idle_step(Step::sends, length);
    Tcp* const tcp = found<Tcp>(fd);
    const ssize_t sent = tcp ? tcp->send({static_cast<const std::byte*>(bytes), length}) : -EBADF;
    return end_of(world, Step::sends, length, sent);
}

ssize_t recv(int fd, void* bytes, size_t length, int) {
    World& world = *::world();
    world.idle_step(Step::takes, length);
    Tcp* const tcp = found<Tcp>(fd);
    const ssize_t received = tcp ? tcp->receive({static_cast<std::byte*>(bytes), length}) : -EBADF;
    return end_of(world, Step::takes, length, received);
}

ssize_t sendmsg(int fd, const msghdr* message, int) {
    World& world = *::world();
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
    World& world = *::world();
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
    World& world = *::world();
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

// Under its own name the compiler takes the entries for unset, as the header says they are only written.
int simulated_poll(pollfd* entries, nfds_t count, int timeout_ms) asm("poll");
int simulated_poll(pollfd* entries, nfds_t count, int timeout_ms) {
    World* const world = ::world();
    if (!world || count != 1 || !FileTable::is_simulated(entries[0].fd)) return real::poll(entries, count, timeout_ms);
    world->idle_step(Step::polls);
    File* const file = world->files().find(entries[0].fd);
    if (!file) return failed(EBADF);
    const std::uint32_t ready = file->readiness() & (static_cast<std::uint32_t>(entries[0].events) | POLLERR | POLLHUP);
    entries[0].revents = static_cast<short>(ready);
    return ready != 0 ? 1 : 0;
}

int epoll_create1(int) __THROW {
    World& world = *::world();
    return world.files().open(world.files().make<Epoll>(world), world.process());
}

int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) __THROW {
    World& world = *::world();
    world.step(Step::polls, static_cast<std::uint64_t>(operation));
    File* const file = world.files().find(fd);
    auto* const set = found<Epoll>(epoll);
    return set && file ? outcome(set->control(operation, *file, event)) : failed(EBADF);
}

int epoll_wait(int epoll, epoll_event* events, int count, int timeout_ms) {
    World& world = *::world();
    world.idle_step(Step::polls);
    auto* const set = found<Epoll>(epoll);
    if (!set) return failed(EBADF);
    const int ready = set->wait({events, static_cast<std::size_t>(count)}, timeout_ms);
    if (ready == 0)
        world.idle_step(Step::polls);
    else
        world.step(Step::polls, static_cast<std::uint64_t>(ready));
    return ready;
}

int eventfd(unsigned, int) __THROW {
    World& world = *::world();
    return world.files().open(world.files().make<EventCounter>(), world.process());
}

ssize_t write(int fd, const void* bytes, size_t length) {
    if (!FileTable::is_simulated(fd)) return real::write(fd, bytes, length);
    World& world = *::world();
    world.step(Step::rings);
    auto* const counter = found<EventCounter>(fd);
    if (!counter) return failed(EBADF);
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    counter->add(world, value);
    world.step(Step::rings);
    return sizeof value;
}

ssize_t read(int fd, void* bytes, size_t length) {
    if (!FileTable::is_simulated(fd)) return real::read(fd, bytes, length);
    World& world = *::world();
    world.step(Step::rings);
    auto* const counter = found<EventCounter>(fd);
    if (!counter) return failed(EBADF);
    const std::uint64_t value = counter->take();
    if (value == 0) return nothing(world, Step::rings);
    std::memcpy(bytes, &value, sizeof value);
    return sizeof value;
}

ssize_t preadv2(int fd, const iovec* parts, int count, off_t offset, int flags) {
    if (!FileTable::is_simulated(fd)) return real::preadv2(fd, parts, count, offset, flags);
    return read(fd, parts[0].iov_base, parts[0].iov_len);
}

int close(int fd) {
    if (!FileTable::is_simulated(fd)) return real::close(fd);
    World& world = *::world();
    world.step(Step::closes);
    return world.files().close(fd, world) ? 0 : failed(EBADF);
}

int ioctl(int fd, unsigned long request, ...) __THROW {
    va_list arguments;
    va_start(arguments, request);
    void* const argument = va_arg(arguments, void*);
    va_end(arguments);
    if (!FileTable::is_simulated(fd)) return real::ioctl(fd, request, argument);
    auto* const local = found<LocalSocketFile>(fd);
    auto* const tcp = found<Tcp>(fd);
    if ((!local && !tcp) || request != SIOCOUTQ) return failed(ENOTTY);
    const int bytes = static_cast<int>(local ? local->unread_at_peer() : tcp->unacknowledged());
    std::memcpy(argument, &bytes, sizeof bytes);
    return 0;
}

long syscall(long number, ...) __THROW {
    va_list arguments;
    va_start(arguments, number);
    long values[6];
    for (long& value : values) value = va_arg(arguments, long);
    va_end(arguments);
    if (World* const world = ::world(); world && number == SYS_futex) return futex(*world, values);
    // Stores of one thread are seen by the others at once: a barrier has nothing to do.
    if (number == SYS_membarrier) return values[0] == 0 ? ~0L & 0x7fffffff : 0;
    return real::syscall(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

ssize_t getrandom(void* bytes, size_t length, unsigned flags) {
    World* const world = ::world();
    if (!world) return real::getrandom(bytes, length, flags);
    auto* const octets = static_cast<unsigned char*>(bytes);
    for (size_t i = 0; i < length; ++i) octets[i] = static_cast<unsigned char>(world->dice().below(256));
    return static_cast<ssize_t>(length);
}

int getrlimit(__rlimit_resource_t resource, rlimit* limit) __THROW {
    World* const world = ::world();
    if (!world || resource != RLIMIT_NOFILE) return real::getrlimit(static_cast<int>(resource), limit);
    limit->rlim_cur = limit->rlim_max = 1 << 16;
    return 0;
}

int getifaddrs(ifaddrs** list) __THROW {
    World* const world = ::world();
    if (!world) return real::getifaddrs(list);
    *list = &(new InterfaceList(world->process().machine()))->first;
    return 0;
}

void freeifaddrs(ifaddrs* list) __THROW {
    if (!::world()) return real::freeifaddrs(list);
    delete reinterpret_cast<InterfaceList*>(list);
}

char* getenv(const char* name) __THROW {
    World* const world = ::world();
    return world ? world->process().variable(name) : real::getenv(name);
}

char* secure_getenv(const char* name) __THROW { return getenv(name); }

int kill(pid_t process, int signal) __THROW {
    World* const world = ::world();
    if (!world) return static_cast<int>(real::syscall(SYS_kill, process, signal, 0, 0, 0, 0));
    if (signal != SIGKILL) return failed(EINVAL);
    return world->kill(process) ? 0 : failed(ESRCH);
}

pid_t getpid(void) __THROW {
    World* const world = ::world();
    return world ? world->process().id() : real::getpid();
}

// One address space serves all processes.
ssize_t process_vm_readv(pid_t pid, const iovec* local, unsigned long locals, const iovec* remote,
                         unsigned long remotes, unsigned long flags) __THROW {
    World* const world = ::world();
    if (world) world->step(Step::takes);
    if (world && world->was_killed(pid)) return failed(ESRCH);
    return real::process_vm_readv(real::getpid(), local, locals, remote, remotes, flags);
}

ssize_t process_vm_writev(pid_t pid, const iovec* local, unsigned long locals, const iovec* remote,
                          unsigned long remotes, unsigned long flags) __THROW {
    World* const world = ::world();
    if (world) world->step(Step::sends);
    if (world && world->was_killed(pid)) return failed(ESRCH);
    return real::process_vm_writev(real::getpid(), local, locals, remote, remotes, flags);
}

}  // extern "C"
