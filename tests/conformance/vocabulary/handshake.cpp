// SPDX-License-Identifier: MIT
//
// The steps of a handshake, each waited for before the next.
#include "conformance/vocabulary/handshake.h"

#include <stdexcept>
#include <string>

#include "support/adapter.h"

namespace opennd::conformance {
namespace {

void need(Outcome actual, Outcome expected, const char* step) {
    if (actual != expected) {
        throw std::runtime_error(std::string(step) + " ended with: " + name_of(actual) +
                                 "; needed: " + name_of(expected));
    }
}

std::unique_ptr<Handshake> run(Driver& driver, const EndpointOptions& active, const EndpointOptions& passive,
                               ReadLimits limits) {
    auto handshake = std::make_unique<Handshake>(driver, HandshakeOptions{.active = active,
                                                                          .passive = passive,
                                                                          .connect_limits = limits,
                                                                          .accept_limits = limits,
                                                                          .connect_data = {},
                                                                          .accept_data = {}});
    handshake->connected();
    return handshake;
}

}  // namespace

SocketAddress local_address(std::uint16_t port) { return support::loopback_address(port); }

std::unique_ptr<Listener> listening(Adapter& adapter, std::uint32_t backlog) {
    auto listener = adapter.create_listener();
    need(listener->bind(local_address()), Outcome::success, "binding the listener");
    need(listener->listen(backlog), Outcome::success, "listening");
    return listener;
}

SocketAddress address_of(Listener& listener) {
    SocketAddress address{};
    need(listener.local_address(address), Outcome::success, "asking the listener for its address");
    return address;
}

Handshake::Handshake(Driver& driver, HandshakeOptions chosen)
    : options(std::move(chosen)), active(driver, options.active), passive(driver, options.passive) {}

Handshake& Handshake::bound() {
    listener = listening(*passive.adapter, options.backlog);
    address = address_of(*listener);
    need(active.connector->bind(local_address()), Outcome::success, "binding the connector");
    return *this;
}

Handshake& Handshake::requested() {
    bound();
    const Operation request = listener->get_request(*passive.connector);
    connect = active.connector->connect(*active.queue_pair, address, options.connect_limits, options.connect_data);
    need(connect->begun(), Outcome::pending, "Connect");
    need(request.wait(), Outcome::success, "waiting for the connection request");
    return *this;
}

Handshake& Handshake::accepting() {
    requested();
    accept = passive.connector->accept(*passive.queue_pair, options.accept_limits, options.accept_data);
    need(accept->begun(), Outcome::pending, "Accept");
    return *this;
}

Handshake& Handshake::replied() {
    accepting();
    need(connect->wait(), Outcome::success, "waiting for Connect");
    return *this;
}

Handshake& Handshake::connected() {
    replied();
    need(active.connector->complete_connect().wait(), Outcome::success, "CompleteConnect");
    need(accept->wait(), Outcome::success, "waiting for Accept");
    return *this;
}

ConnectedPair::ConnectedPair(Driver& driver, const EndpointOptions& active_options,
                             const EndpointOptions& passive_options, ReadLimits limits)
    : handshake(run(driver, active_options, passive_options, limits)), a(handshake->active), b(handshake->passive) {}

}  // namespace opennd::conformance
