// SPDX-License-Identifier: MIT
//
// The floor of many TCP connections: a plain epoll server that echoes 8 bytes, and a client of the same kind. Read turns.h first.
#include "turns.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cstdint>

namespace {

using namespace benchmark;

void send_word(int socket, std::uint64_t word) {
    need(::send(socket, &word, sizeof word, MSG_NOSIGNAL) == sizeof word, "send");
}

// One end of all connections.
class Sockets {
public:
    explicit Sockets(const Options& options) : timeout_ms_(options.sleeps ? -1 : 0), epoll_(::epoll_create1(0)) {}

    void add(int socket) {
        const int yes = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        epoll_event event{};
        event.events = EPOLLIN | EPOLLET;
        event.data.fd = socket;
        need(::epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) == 0, "epoll_ctl");
        sockets_.push_back(socket);
    }
    int operator[](std::size_t connection) const { return sockets_[connection]; }

    // Waits for a message; the socket that it came from, or -1: the other end has ended.
    int receive(std::uint64_t& word) {
        epoll_event event{};
        while (::epoll_wait(epoll_, &event, 1, timeout_ms_) != 1) {
        }
        return ::recv(event.data.fd, &word, sizeof word, 0) == sizeof word ? event.data.fd : -1;
    }

private:
    const int timeout_ms_, epoll_;
    std::vector<int> sockets_;
};

class Client {
public:
    explicit Client(Sockets& sockets) : sockets_(sockets) {}
    void turn(std::size_t connection) {
        send_word(sockets_[connection], ++last_);
        std::uint64_t answer = 0;
        need(sockets_.receive(answer) == sockets_[connection] && answer == last_, "answer");
    }

private:
    Sockets& sockets_;
    std::uint64_t last_ = 0;
};

void serve(Sockets& sockets) {
    std::uint64_t word = 0;
    for (int socket = sockets.receive(word); socket >= 0; socket = sockets.receive(word)) send_word(socket, word);
}

}  // namespace

int main(int count, char** words) {
    const Options options = parse(count, words);
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof address;
    need(::bind(listener, reinterpret_cast<sockaddr*>(&address), bytes) == 0 && ::listen(listener, 4096) == 0,
         "listen");
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &bytes);

    start_server([&] {
        Sockets sockets(options);
        for (std::size_t i = 0; i < options.connections; ++i) sockets.add(::accept(listener, nullptr, nullptr));
        serve(sockets);
    });
    Sockets sockets(options);
    for (std::size_t i = 0; i < options.connections; ++i) {
        const int made = ::socket(AF_INET, SOCK_STREAM, 0);
        need(::connect(made, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "connect");
        sockets.add(made);
    }
    Client client(sockets);
    measure("epoll_echo", options, client);
}
