// SPDX-License-Identifier: MIT
//
// The serving side of `nd ping`. Read ping_protocol.h first.
#include "interruption.h"
#include "network/memory/client_memory.h"
#include "pattern.h"
#include "ping/ping.h"
#include "ping/ping_protocol.h"
#include "ping/ping_rounds.h"
#include "ping/ping_service.h"
#include "text/complaint.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>

namespace nd {
namespace {

// Refuses requests that are no ping, or exceed this server's limits; returns nothing for those.
std::optional<PingRequest> take_ping(MessageChannel& channel, Listener& listener, const Adapter& adapter,
                                     std::uint64_t client_memory) {
    PingRequest request = {};
    const bool ping =
        from_private_data(channel.connection().take_request(listener), request) && request.hello.is_for(Purpose::ping);
    try {
        if (!ping) throw std::runtime_error("this server answers `nd ping` of the same version");
        check_ping_size(adapter, request.size);
        check_client_memory(request.size, client_memory);
        return request;
    } catch (const std::runtime_error& refusal) {
        channel.connection().reject(refusal.what());
        return std::nullopt;
    }
}

void accept_ping(MessageChannel& channel, const PingRequest& request) {
    verify_pattern(request.pattern, sizeof request.pattern, request.sequence, "private data of the request");
    PingAcceptance acceptance = {};
    acceptance.hello = request.hello;
    fill_pattern(acceptance.pattern, sizeof acceptance.pattern, request.sequence + 1);
    channel.connection().accept(to_private_data(acceptance));
}

PingAnswer answer_round(MessageChannel& channel, MemoryBuffer& buffer, const PingRound& round) {
    PingAnswer answer = {};
    answer.round = round.round;
    const Piece all = buffer.part(0, buffer.size());
    std::memset(buffer.data(), 0, buffer.size());
    channel.read(all, round.buffer);
    try {
        verify_pattern(buffer.data(), buffer.size(), round.round, "RDMA Read of round");
        answer.verified = 1;
    } catch (const std::exception& failure) {
        std::snprintf(answer.error, sizeof answer.error, "%s", failure.what());
    }
    invert(buffer.data(), buffer.size());
    channel.write(all, round.buffer);
    return answer;
}

// Ends with the last round, or with the last that an interrupted client asks for; throws when the client goes away before.
bool serve_ping_client(Adapter& adapter, MessageChannel& channel, const PingRequest& request) {
    MemoryBuffer buffer(adapter, request.size, MemoryKind::ordinary);
    accept_ping(channel, request);
    bool verified = true;
    for (std::uint32_t i = 0; i < request.rounds; i++) {
        const auto round = channel.receive<PingRound>();
        if (round.round == 0) break;
        const PingAnswer answer = answer_round(channel, buffer, round);
        verified = verified && answer.verified != 0;
        channel.send(answer);
    }
    channel.connection().disconnect();
    return verified;
}

}  // namespace

void serve_pings(const PingOptions& options, const ReadyFunction& ready) {
    const SocketAddress own = server_address(options.local, options.port, PingOptions::kDefaultPort);
    Adapter adapter(own.with_port(0), options.api.api());
    Listener listener(adapter, own.port());
    ready(listener.address());
    for (;;) {
        MessageChannel channel(adapter);
        std::optional<PingRequest> request;
        if (options.rping)
            (void)channel.connection().take_request(listener);
        else if (request = take_ping(channel, listener, adapter, options.client_memory); !request)
            continue;
        try {
            const bool verified = request ? serve_ping_client(adapter, channel, *request)
                                          : serve_rping_client(adapter, channel, options.size);
            if (!options.persist && !verified) throw std::runtime_error("a round was not verified");
        } catch (const Interrupted&) {
            throw;
        } catch (const std::exception& failure) {
            if (!options.persist) throw;
            print_complaint(std::string("nd: ") + failure.what());
        }
        if (!options.persist) return;
    }
}

}  // namespace nd
