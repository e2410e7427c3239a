// SPDX-License-Identifier: MIT
// See line_writing.h.
#include "platform/descriptor/line_writing.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "platform/descriptor/descriptor.h"
#include "platform/process/quiet_write.h"

namespace opennd {
namespace {

bool write_once(int fd, std::string_view line) {
    const QuietWrite quiet;
    ssize_t written = 0;
    do written = ::write(fd, line.data(), line.size());
    while (written < 0 && errno == EINTR);
    return written > 0;
}

bool send_once(int fd, std::string_view line) {
    ssize_t sent = 0;
    do sent = ::send(fd, line.data(), line.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent > 0;
}

bool has_room(int fd) {
    pollfd entry{fd, POLLOUT, 0};
    return ::poll(&entry, 1, 0) == 1 && (entry.revents & POLLOUT) != 0;
}

// The pipe once more, as a file of its own that does not wait: O_NONBLOCK on the given one would be its other users' too. Without /proc the
// pipe is asked for room, which another writer may take in between.
bool write_to_pipe(int fd, std::string_view line) {
    char path[32];
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const Descriptor own = Descriptor::made([&] { return ::open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC); });
    if (own) return write_once(own.get(), line);
    return errno != ENXIO && has_room(fd) && write_once(fd, line.substr(0, PIPE_BUF));
}

}  // namespace

bool write_line(int fd, std::string_view line) noexcept {
    struct stat file {};
    if (::fstat(fd, &file) != 0) return false;
    if (S_ISREG(file.st_mode)) return write_once(fd, line);
    if (S_ISSOCK(file.st_mode)) return send_once(fd, line);
    if (S_ISFIFO(file.st_mode)) return write_to_pipe(fd, line);
    return has_room(fd) && write_once(fd, line);
}

bool send_to_system_log(std::string_view line) noexcept {
    constexpr std::string_view kPath = "/dev/log";
    const Descriptor socket =
        Descriptor::made([] { return ::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); });
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, kPath.data(), kPath.size());
    if (!socket || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return false;
    return send_once(socket.get(), line);
}

}  // namespace opennd
