// SPDX-License-Identifier: MIT
//
// Handshake: a connection attempt that stops at the state a test is about. ConnectedPair: one that ran to its end.
// The states are those of ND2-CON-STATE-01.
#pragma once

#include <optional>

#include "conformance/vocabulary/endpoint.h"

namespace opennd::conformance {

struct HandshakeOptions {
    EndpointOptions active, passive;
    ReadLimits connect_limits, accept_limits;
    PrivateData connect_data, accept_data;
    std::uint32_t backlog = 0;
};

// 127.0.0.1, port in host order.
SocketAddress local_address(std::uint16_t port = 0);

// A listener of this adapter on a free port, listening.
std::unique_ptr<Listener> listening(Adapter& adapter, std::uint32_t backlog = 0);
SocketAddress address_of(Listener& listener);

// Each step runs the steps before it and returns *this; a step that fails throws, so that tests stay one line of
// set-up.
struct Handshake {
    explicit Handshake(Driver& driver, HandshakeOptions options = {});

    Handshake& bound();      // active C-Bound, listener listening
    Handshake& requested();  // active C-Connecting, passive C-Requested
    Handshake& accepting();  // active C-Connecting or C-Replied, passive C-Accepting
    Handshake& replied();    // active C-Replied, passive C-Accepting
    Handshake& connected();  // both C-Connected

    HandshakeOptions options;
    Endpoint active, passive;
    std::unique_ptr<Listener> listener;
    SocketAddress address{};                   // of the listener
    std::optional<Operation> connect, accept;  // begun by requested() and accepting()
};

struct ConnectedPair {
    ConnectedPair(Driver& driver, const EndpointOptions& active_options, const EndpointOptions& passive_options,
                  ReadLimits limits = {});
    explicit ConnectedPair(Driver& driver, const EndpointOptions& both = {}) : ConnectedPair(driver, both, both) {}

    std::unique_ptr<Handshake> handshake;
    Endpoint& a;  // the active side
    Endpoint& b;  // the passive side
};

}  // namespace opennd::conformance
