// SPDX-License-Identifier: MIT
//
// The floors of two processes over TCP on loopback: plain sockets, no delay of short messages. Read two_sides.h first.
//
// Usage: plain_sockets DESIGN TEST BYTES [MILLISECONDS]
//   DESIGN spin: recv until there is something; block: recv sleeps
//   TEST   send_lat: half of a round trip; read_lat: a request of kRequestBytes and BYTES back; send_bw: one direction, BYTES a
//          call; send_rate: the same, kBatch messages a call
#include "two_sides.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <vector>

namespace {

using namespace benchmark;

constexpr std::size_t kRequestBytes = 48;
constexpr std::size_t kBatch = 64;
constexpr std::size_t kReceiveBytes = 1 << 18;  // asked for by one recv of a stream

class Stream {
public:
    Stream(int socket, bool spins) : socket_(socket), flags_(spins ? MSG_DONTWAIT : 0) {
        const int yes = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    }
    void send(const std::vector<char>& message) const {
        for (std::size_t at = 0; at < message.size();) {
            const ssize_t bytes = ::send(socket_, &message[at], message.size() - at, MSG_NOSIGNAL);
            need(bytes > 0, "send");
            at += static_cast<std::size_t>(bytes);
        }
    }
    void receive(std::vector<char>& message) const {
        for (std::size_t at = 0; at < message.size();) at += receive_some(&message[at], message.size() - at);
    }
    // At least one byte. The peer's end ends this process.
    std::size_t receive_some(char* into, std::size_t most) const {
        for (;;) {
            const ssize_t bytes = ::recv(socket_, into, most, flags_);
            if (bytes > 0) return static_cast<std::size_t>(bytes);
            if (bytes == 0 || (errno != EAGAIN && errno != EINTR)) std::_Exit(0);
        }
    }

private:
    const int socket_, flags_;
};

void drain(const Stream& stream) {
    std::vector<char> buffer(kReceiveBytes);
    for (;;) stream.receive_some(buffer.data(), buffer.size());
}

void answer(const Stream& stream, std::size_t request_bytes, std::size_t answer_bytes) {
    std::vector<char> request(request_bytes), reply(answer_bytes);
    for (;;) {
        stream.receive(request);
        stream.send(reply);
    }
}

}  // namespace

int main(int count, char** words) {
    if (count < 4) {
        std::fputs("usage: plain_sockets spin|block TEST BYTES [MILLISECONDS]\n", stderr);
        return 2;
    }
    const std::string design = words[1], test = words[2];
    const std::size_t bytes = std::max(1ul, std::strtoul(words[3], nullptr, 10));
    const double milliseconds = count > 4 ? std::strtod(words[4], nullptr) : 100;
    const std::string name = "plain_sockets " + design + " " + test;
    const bool one_way = test == "send_bw" || test == "send_rate";
    const std::size_t request_bytes = test == "read_lat" ? kRequestBytes : bytes;

    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    need(::bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0 && ::listen(listener, 1) == 0, "listen");
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    start_server([&] {
        const Stream stream(::accept(listener, nullptr, nullptr), design == "spin");
        if (one_way)
            drain(stream);
        else
            answer(stream, request_bytes, bytes);
    });
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    need(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "connect");
    const Stream stream(socket, design == "spin");

    if (one_way) {
        const std::size_t messages = test == "send_rate" ? kBatch : 1;
        const std::vector<char> batch(messages * bytes);
        const double seconds =
            seconds_of_a_turn(milliseconds, [&] { stream.send(batch); }) / static_cast<double>(messages);
        if (test == "send_rate")
            print_floor(name, bytes, 1e-6 / seconds, "million/s");
        else
            print_floor(name, bytes, static_cast<double>(bytes) / seconds / 1e9, "GB/s");
        return 0;
    }
    const std::vector<char> request(request_bytes);
    std::vector<char> reply(bytes);
    const double seconds = seconds_of_a_turn(milliseconds, [&] {
        stream.send(request);
        stream.receive(reply);
    });
    print_floor(name, bytes, seconds * 1e6 / (test == "read_lat" ? 1 : 2), "us");
}
