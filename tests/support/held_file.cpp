// SPDX-License-Identifier: MIT
// See held_file.h.
#include "support/held_file.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace opennd::support {
namespace {

void require(bool done, const char* what) {
    if (!done) throw std::system_error(errno, std::generic_category(), what);
}

void close_and_forget(int& descriptor) {
    if (descriptor >= 0) (void)::close(std::exchange(descriptor, -1));
}

}  // namespace

HeldFile::HeldFile() {
    int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    require(::bind(listener, generic, bytes) == 0 && ::listen(listener, 1) == 0 &&
                ::getsockname(listener, generic, &bytes) == 0,
            "listen");
    file_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    require(::connect(file_, generic, bytes) == 0, "connect");
    reader_ = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    close_and_forget(listener);
    const linger an_hour{1, 3600};
    require(::setsockopt(file_, SOL_SOCKET, SO_LINGER, &an_hour, sizeof an_hour) == 0, "SO_LINGER");
    const std::array<char, 65536> unread{};
    while (::send(file_, unread.data(), unread.size(), MSG_DONTWAIT) > 0) continue;
}

void HeldFile::leave_to_another() { close_and_forget(file_); }

void HeldFile::leave() {
    leaving_ = std::thread([file = std::exchange(file_, -1)]() mutable { close_and_forget(file); });
}

void HeldFile::let_go() {
    const linger at_once{1, 0};  // a reset
    if (reader_ >= 0) (void)::setsockopt(reader_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close_and_forget(reader_);
    close_and_forget(file_);
    if (leaving_.joinable()) leaving_.join();
}

}  // namespace opennd::support
