// SPDX-License-Identifier: MIT
// The calls of descriptors, and those that wait for several. Descriptors of the simulation are its own; all others, of memory above
// all, are the system's.
#include <linux/sockios.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdarg>
#include <cstring>

#include "simulation/file/epoll.h"
#include "simulation/file/event_counter.h"
#include "simulation/file/local_socket_file.h"
#include "simulation/file/tcp.h"
#include "simulation/system/call.h"
#include "simulation/system/real.h"

using namespace opennd::simulation;
namespace real = opennd::simulation::real;

extern "C" {

// Under its own name the compiler takes the entries for unset, as the header says they are only written.
int simulated_poll(pollfd* entries, nfds_t count, int timeout_ms) asm("poll");
int simulated_poll(pollfd* entries, nfds_t count, int timeout_ms) {
    World* const world = calling_world();
    if (!world || count != 1 || !FileTable::is_simulated(entries[0].fd)) return real::poll(entries, count, timeout_ms);
    world->idle_step(Step::polls);
    File* const file = world->files().find(entries[0].fd);
    if (!file) return failed(EBADF);
    const std::uint32_t ready = file->readiness() & (static_cast<std::uint32_t>(entries[0].events) | POLLERR | POLLHUP);
    entries[0].revents = static_cast<short>(ready);
    return ready != 0 ? 1 : 0;
}

int epoll_create1(int) __THROW {
    World& world = *calling_world();
    return world.files().open(world.files().make<Epoll>(world), world.process());
}

int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) __THROW {
    World& world = *calling_world();
    world.step(Step::polls, static_cast<std::uint64_t>(operation));
    File* const file = world.files().find(fd);
    auto* const set = found<Epoll>(epoll);
    return set && file ? outcome(set->control(operation, *file, event)) : failed(EBADF);
}

int epoll_wait(int epoll, epoll_event* events, int count, int timeout_ms) {
    World& world = *calling_world();
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
    World& world = *calling_world();
    return world.files().open(world.files().make<EventCounter>(), world.process());
}

ssize_t write(int fd, const void* bytes, size_t length) {
    if (!FileTable::is_simulated(fd)) return real::write(fd, bytes, length);
    World& world = *calling_world();
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
    World& world = *calling_world();
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
    World& world = *calling_world();
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

}  // extern "C"
