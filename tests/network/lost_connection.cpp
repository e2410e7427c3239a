// SPDX-License-Identifier: MIT
// A side of a connection between two hosts that is about to end; lost_test.py ends it. Over every face.
//
//   lost_connection serve FACE               accepts one connection at OPENND_TEST_ADDRESS, prints its port and its memory
//   lost_connection use FACE ADDRESS PORT    connects there, and reads the memory to use
//
// Then it does as it is told, and says when it is done: "post": a Send that the peer has no receive for, requests of each kind
// behind it; "receives"; "message": such a Send alone; "much": Writes that no socket holds; "results": waits for those, and
// prints the outcome of each; "told": waits for NotifyDisconnect; "disconnect".
#include <arpa/inet.h>

#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>

#include "conformance/vocabulary/handshake.h"
#include "conformance/vocabulary/variant.h"

namespace opennd::conformance {
namespace {

constexpr std::size_t kMemoryBytes = 1 << 20, kShort = 64;
constexpr Tag kMuch = 16;
// The peer may be looked for as long as Linux sends again.
constexpr milliseconds kPatience{60'000};

void need(Outcome actual, Outcome expected, const char* step) {
    if (actual != expected) throw std::runtime_error(std::string(step) + " ended with: " + name_of(actual));
}

class LostSide {
public:
    explicit LostSide(const std::string& face) : driver_(open_driver(face)) {}

    void serve() {
        const auto listener = listening(*side_.adapter);
        const std::uint16_t port = ntohs(address_of(*listener).ipv4.sin_port);
        const Operation request = listener->get_request(*side_.connector);
        say(std::to_string(port));
        need(request.wait(), Outcome::success, "GetConnectionRequest");
        need(side_.connector->accept(*side_.queue_pair, {}, {}).wait(), Outcome::success, "Accept");
        const Remote memory = side_.remote();
        say(std::to_string(memory.address) + " " + std::to_string(memory.token));
        obey();
    }

    void use(SocketAddress server) {
        need(side_.connector->bind(local_address()), Outcome::success, "Bind");
        need(side_.connector->connect(*side_.queue_pair, server, {}, {}).wait(), Outcome::success, "Connect");
        need(side_.connector->complete_connect().wait(), Outcome::success, "CompleteConnect");
        say("connected");
        std::cin >> target_.address >> target_.token;
        obey();
    }

private:
    static void say(const std::string& line) { std::cout << line << std::endl; }

    void obey() {
        const Operation lost = side_.connector->notify_disconnect();
        for (std::string word; std::cin >> word;) {
            if (word == "post") post();
            if (word == "receives") post_receives();
            if (word == "message") need(side_.send(kMuch, 0, kShort), Outcome::success, "Send");
            if (word == "much") post_much();
            if (word == "results") tell_results();
            if (word == "disconnect") need(side_.connector->disconnect().wait(), Outcome::success, "Disconnect");
            if (word == "told") need(lost.wait(kPatience), Outcome::success, "NotifyDisconnect");
            say(word + " done");
        }
    }

    void post() {
        need(side_.send(0, 0, kShort), Outcome::success, "Send");
        need(side_.write(1, 0, kShort, target_), Outcome::success, "Write");
        need(side_.read(2, 0, kShort, target_), Outcome::success, "Read");
        need(side_.write(3, 0, kShort, target_), Outcome::success, "Write");
        need(side_.send(4, 0, kShort), Outcome::success, "Send");
        posted_ = 5;
    }

    void post_receives() {
        for (Tag tag = 0; tag < 2; ++tag) need(side_.receive(tag, 0, kShort), Outcome::success, "Receive");
        received_ = 2;
    }

    // More than the sockets of both sides hold.
    void post_much() {
        for (Tag tag = 0; tag < kMuch; ++tag)
            need(side_.write(tag, 0, kMemoryBytes, target_), Outcome::success, "Write");
        posted_ = kMuch;
    }

    void tell_results() {
        for (std::size_t i = 0; i < posted_; ++i) tell("request", conformance::next(*side_.initiated, kPatience));
        for (std::size_t i = 0; i < received_; ++i) tell("receive", conformance::next(*side_.received, kPatience));
    }
    static void tell(const char* what, const Completion& result) {
        say(std::string(what) + " " + std::to_string(result.request) + ": " + name_of(result.outcome));
    }

    const std::unique_ptr<Driver> driver_;
    Endpoint side_{*driver_, {.queue_pair = {.initiator_depth = kMuch + 1}, .memory_bytes = kMemoryBytes}};
    Remote target_;
    std::size_t posted_ = 0, received_ = 0;
};

SocketAddress address(const char* host, const char* port) {
    SocketAddress to{};
    to.ipv4.sin_family = AF_INET;
    to.ipv4.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
    if (inet_pton(AF_INET, host, &to.ipv4.sin_addr) != 1) throw std::runtime_error("no IPv4 address");
    return to;
}

int run(std::span<char*> words) {
    const std::string role = words.size() > 2 ? words[1] : "";
    if (role == "serve" && words.size() == 3)
        LostSide(words[2]).serve();
    else if (role == "use" && words.size() == 5)
        LostSide(words[2]).use(address(words[3], words[4]));
    else
        return 2;
    return 0;
}

}  // namespace
}  // namespace opennd::conformance

int main(int count, char** words) {
    try {
        return opennd::conformance::run({words, static_cast<std::size_t>(count)});
    } catch (const std::exception& wrong) {
        std::cout << "error: " << wrong.what() << std::endl;
        return 1;
    }
}
