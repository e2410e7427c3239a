// SPDX-License-Identifier: MIT
//
// The other process of the soak tests.
//   cycles PORT COUNT             connects, exchanges a message, disconnects, again and again
//   many PORT COUNT BUSY ROUNDS   that many links at once, traffic on the first BUSY of them
//   flood PORT                    exchanges without end on four links, until it is killed
#include <cstdio>
#include <stdexcept>
#include <string>

#include "conformance/vocabulary/nd2/driver.h"
#include "soak/host.h"

namespace opennd::soak {
namespace {

void cycles(Host& host, std::uint16_t port, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        Link link = host.connect(port, 0);
        exchange_all(host, {&link, 1}, 1);
        need(link.connector->disconnect().wait(), Outcome::success, "Disconnect");
    }
}

void many(Host& host, std::uint16_t port, std::size_t count, std::size_t busy, std::uint64_t messages) {
    std::vector<Link> links;
    for (std::size_t i = 0; i < count; ++i) links.push_back(host.connect(port, i));
    exchange_all(host, std::span(links).first(busy), messages);
    for (Link& link : links) need(link.connector->notify_disconnect().wait(), Outcome::success, "NotifyDisconnect");
}

void flood(Host& host, std::uint16_t port) {
    std::vector<Link> links;
    for (std::size_t i = 0; i < 4; ++i) links.push_back(host.connect(port, i));
    exchange_all(host, links, ~std::uint64_t{0});
}

void run(const std::vector<std::string>& arguments) {
    const auto driver = conformance::nd2::open_driver();
    const auto number = [&](std::size_t index) { return std::stoull(arguments.at(index)); };
    const std::string& role = arguments.at(0);
    const auto port = static_cast<std::uint16_t>(number(1));
    const std::size_t exchanges = role == "many" ? number(3) : role == "flood" ? 4 : 1;
    Host host(*driver, exchanges, support::MemoryKind::ordinary);
    if (role == "cycles")
        cycles(host, port, number(2));
    else if (role == "many")
        many(host, port, number(2), number(3), number(4));
    else if (role == "flood")
        flood(host, port);
    else
        throw std::runtime_error("unknown role " + role);
}

}  // namespace
}  // namespace opennd::soak

int main(int count, char** arguments) try {
    opennd::soak::run({arguments + 1, arguments + count});
    return 0;
} catch (const std::exception& failure) {
    std::fprintf(stderr, "soak_peer: %s\n", failure.what());
    return 1;
}
