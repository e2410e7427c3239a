// SPDX-License-Identifier: MIT
//
// The floors of connections one after the other, the other side asleep until one comes. tcp: connect, kHelloBytes each way, reset.
// local: a Unix socket, over which the server gets a file of kFileBytes, which both map and touch. Read two_sides.h first.
//
// Usage: plain_connect tcp|local [MILLISECONDS]
#include "two_sides.h"

#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstring>

namespace {

using namespace benchmark;

constexpr std::size_t kHelloBytes = 20;
constexpr std::size_t kFileBytes = 65536;
using Hello = std::array<char, kHelloBytes>;

void send_hello(int socket) {
    const Hello hello{};
    need(::send(socket, hello.data(), hello.size(), MSG_NOSIGNAL) == kHelloBytes, "send");
}

void receive_hello(int socket) {
    Hello hello;
    need(::recv(socket, hello.data(), hello.size(), MSG_WAITALL) == kHelloBytes, "recv");
}

void touch(int file) {
    void* const memory = ::mmap(nullptr, kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    need(memory != MAP_FAILED, "mmap");
    *static_cast<volatile char*>(memory) = 1;
    ::munmap(memory, kFileBytes);
}

// A message of a greeting, with room for one file.
struct Parcel {
    Hello hello{};
    iovec part{hello.data(), hello.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
    msghdr message{};
    Parcel() {
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = room.data();
        message.msg_controllen = room.size();
    }
};

void send_file(int socket, int file) {
    Parcel parcel;
    cmsghdr* const header = CMSG_FIRSTHDR(&parcel.message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
    need(::sendmsg(socket, &parcel.message, MSG_NOSIGNAL) == kHelloBytes, "sendmsg");
}

int receive_file(int socket) {
    Parcel parcel;
    need(::recvmsg(socket, &parcel.message, MSG_WAITALL) == kHelloBytes, "recvmsg");
    const cmsghdr* const header = CMSG_FIRSTHDR(&parcel.message);
    need(header != nullptr, "file");
    int file = -1;
    std::memcpy(&file, CMSG_DATA(header), sizeof file);
    return file;
}

// Makes connections to one listener of the family that the address has.
class Dialler {
public:
    Dialler(const sockaddr* address, socklen_t bytes) : family_(address->sa_family) {
        std::memcpy(&address_, address, bytes);
        listener_ = ::socket(family_, SOCK_STREAM, 0);
        need(::bind(listener_, address, bytes) == 0 && ::listen(listener_, SOMAXCONN) == 0, "listen");
        bytes_ = sizeof address_;
        ::getsockname(listener_, generic(), &bytes_);
    }
    int connect() {
        const int made = ::socket(family_, SOCK_STREAM, 0);
        need(::connect(made, generic(), bytes_) == 0, "connect");
        return made;
    }
    int accept() const {
        const int made = ::accept(listener_, nullptr, nullptr);
        need(made >= 0, "accept");
        return made;
    }

private:
    sockaddr* generic() { return reinterpret_cast<sockaddr*>(&address_); }
    const int family_;
    sockaddr_storage address_{};
    socklen_t bytes_ = 0;
    int listener_ = -1;
};

double measure_tcp(double milliseconds) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    Dialler dialler(reinterpret_cast<sockaddr*>(&address), sizeof address);
    start_server([&] {
        for (;;) {
            const int made = dialler.accept();
            receive_hello(made);
            send_hello(made);
            char more = 0;
            (void)::recv(made, &more, sizeof more, 0);  // until the client's reset
            ::close(made);
        }
    });
    return seconds_of_a_turn(milliseconds, [&] {
        const int made = dialler.connect();
        send_hello(made);
        receive_hello(made);
        const linger at_once{1, 0};
        ::setsockopt(made, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        ::close(made);
    });
}

double measure_local(double milliseconds) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;  // alone: the kernel chooses an abstract name
    Dialler dialler(reinterpret_cast<sockaddr*>(&address), sizeof address.sun_family);
    start_server([&] {
        for (;;) {
            const int made = dialler.accept();
            const int file = receive_file(made);
            touch(file);
            send_hello(made);
            ::close(file);
            ::close(made);
        }
    });
    return seconds_of_a_turn(milliseconds, [&] {
        const int made = dialler.connect();
        const int file = ::memfd_create("floor", MFD_CLOEXEC);
        need(::ftruncate(file, kFileBytes) == 0, "ftruncate");
        touch(file);
        send_file(made, file);
        receive_hello(made);
        ::close(file);
        ::close(made);
    });
}

}  // namespace

int main(int count, char** words) {
    const std::string design = count > 1 ? words[1] : "";
    const double milliseconds = count > 2 ? std::strtod(words[2], nullptr) : 100;
    if (design != "tcp" && design != "local") {
        std::fputs("usage: plain_connect tcp|local [MILLISECONDS]\n", stderr);
        return 2;
    }
    const double seconds = design == "tcp" ? measure_tcp(milliseconds) : measure_local(milliseconds);
    print_floor("plain_connect " + design, kHelloBytes, 1e-3 / seconds, "thousand/s");
}
