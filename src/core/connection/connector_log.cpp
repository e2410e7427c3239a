// SPDX-License-Identifier: MIT
// See connector.h.
#include "core/connection/connector.h"

#include <new>
#include <optional>
#include <string>

#include "base/format.h"
#include "base/log.h"
#include "base/probes.h"
#include "base/status_names.h"

namespace opennd {
namespace {

struct Line {
    LogCause cause;
    std::string text;
};

std::string carried(const Carrier& carrier) {
    std::string text(carrier.wire.empty() ? "a wire that is not known" : carrier.wire);
    if (carrier.peer_process > 0) text += format(", peer process {}", carrier.peer_process);
    if (carrier.stream) text += format(", TCP {} - {}", carrier.stream->local.text(), carrier.stream->peer.text());
    return text;
}

Line ended(EndCause cause) {
    switch (cause) {
        case EndCause::disconnect: return {LogCause::peer, "ended by the peer, which disconnected"};
        case EndCause::silence:
            return {LogCause::peer, "lost: nothing answers any more; the peer's host or the network is gone"};
        case EndCause::reset:
            return {LogCause::peer, "lost: the peer's process has ended, or its host has reset the connection"};
        case EndCause::release: return {LogCause::program, "ended: its queue pair was released"};
        case EndCause::failure: break;
    }
    return {LogCause::peer, "broken off: a request failed, at either end; its side's log has the reason"};
}

std::optional<Line> ended_here(ConnectorState from, std::string_view by) {
    switch (from) {
        case ConnectorState::connected: return Line{LogCause::program, format("ended by this side: {}", by)};
        case ConnectorState::connecting:
        case ConnectorState::replied:
        case ConnectorState::completing:
        case ConnectorState::requested:
        case ConnectorState::accepting:
            return Line{LogCause::program, format("given up by this side before it was up: {}", by)};
        case ConnectorState::idle:
        case ConnectorState::bound:
        case ConnectorState::waiting:
        case ConnectorState::peer_gone:
        case ConnectorState::disconnecting:
        case ConnectorState::done: return {};
    }
    return {};
}

std::optional<Line> line_of(ConnectorState from, ConnectorEvent event, Status why, EndCause cause,
                            const LiveConnection& is) {
    switch (event) {
        case ConnectorEvent::establish: {
            const bool accepted = from == ConnectorState::accepting;
            return Line{accepted ? LogCause::caller : LogCause::program,
                        format("up: this side {}; over {}", accepted ? "accepted" : "connected", carried(is.carrier))};
        }
        case ConnectorEvent::refuse: return Line{LogCause::program, format("Connect failed: {}", name(why))};
        case ConnectorEvent::fail: return Line{LogCause::peer, format("failed before it was up: {}", name(why))};
        case ConnectorEvent::reject: return ended_here(from, "Reject");
        case ConnectorEvent::disconnect: return ended_here(from, "Disconnect");
        case ConnectorEvent::cancel:
        case ConnectorEvent::start_over: return ended_here(from, "canceled");
        case ConnectorEvent::lose_queue_pair: return ended_here(from, "its queue pair was released");
        case ConnectorEvent::close: return ended_here(from, "its connector was released");
        case ConnectorEvent::lose_peer: return ended(cause);
        case ConnectorEvent::bind:
        case ConnectorEvent::connect:
        case ConnectorEvent::reply:
        case ConnectorEvent::complete:
        case ConnectorEvent::wait:
        case ConnectorEvent::stop_waiting:
        case ConnectorEvent::request:
        case ConnectorEvent::accept:
        case ConnectorEvent::end: return {};
    }
    return {};
}

}  // namespace

void log_connection(ConnectorState from, ConnectorEvent event, Status why, EndCause cause,
                    const LiveConnection& is) noexcept {
    try {
        if (!log_wants(LogLevel::info)) return;  // the first line makes the log
        const std::optional<Line> line = line_of(from, event, why, cause, is);
        if (line)
            log(LogLevel::info, line->cause, "connection {} - {}: {}", is.local.text(), is.peer.text(), line->text);
    } catch (const std::bad_alloc&) {
        return;
    }
}

void probe_connection([[maybe_unused]] ConnectorState from, [[maybe_unused]] ConnectorEvent event,
                      [[maybe_unused]] Status why, [[maybe_unused]] const LiveConnection& is) noexcept {
    [[maybe_unused]] const sockaddr_storage local = is.local.to_sockaddr(), peer = is.peer.to_sockaddr();
    switch (event) {
        case ConnectorEvent::establish:
            OPENND_PROBE(connect, &local, &peer, is.queue_pair, is.carrier.wire.data(), is.carrier.peer_process);
            return;
        case ConnectorEvent::refuse:
        case ConnectorEvent::fail: OPENND_PROBE(refuse, &local, &peer, static_cast<int>(why)); return;
        default:
            if (from == ConnectorState::connected)
                OPENND_PROBE(end, &local, &peer, is.queue_pair, static_cast<int>(why));
            return;
    }
}

}  // namespace opennd
