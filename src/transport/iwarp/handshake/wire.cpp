// SPDX-License-Identifier: MIT
// IwarpWire: see wire.h.
#include "transport/iwarp/handshake/wire.h"

#include "base/format.h"
#include "base/log.h"
#include "platform/host/interfaces.h"
#include "transport/iwarp/handshake/connector.h"
#include "transport/iwarp/handshake/listener.h"
#include "transport/iwarp/wire/crc_choice.h"

namespace opennd::iwarp {

IwarpWire::IwarpWire(const Settings& settings) : context_(make_ref<WireContext>(settings)) {
    if (settings.crc == Crc::off)
        log(LogLevel::warn, "iWARP: CRC is off by OPENND_IWARP_CRC; damaged messages are not noticed (IW-MPA-09)");
    if (settings.crc_way) pin_crcs(*settings.crc_way);
}

bool IwarpWire::reaches(const Address&, std::string& reason) const {
    reason = "over TCP, if a listener answers there";
    return true;
}

bool IwarpWire::would_take(const Address& remote, std::string& reason) const {
    const Status route = source_address_for(remote).status();
    if (route != Status::network_unreachable && route != Status::host_unreachable) return reaches(remote, reason);
    reason = format("this host has no route to {}", remote.text(false));
    return false;
}

Result<Ref<soft::ActiveEnd>> IwarpWire::dial(Ref<soft::SoftAdapter> adapter, const Address&) {
    return Ref<soft::ActiveEnd>(IwarpConnector::active(std::move(adapter), context_));
}

Result<Ref<TransportListener>> IwarpWire::create_listener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink) {
    return Ref<TransportListener>(new IwarpListener(std::move(adapter), std::move(sink), context_));
}

}  // namespace opennd::iwarp
