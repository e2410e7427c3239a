// SPDX-License-Identifier: MIT
// A kind of connection the software RNIC can make: loopback, shared memory, iWARP. A wire finds the peer and makes
// channels; everything above the channel is common.
#pragma once

#include <string>
#include <string_view>

#include "base/ref.h"
#include "base/result.h"
#include "model/address.h"
#include "transport/connector.h"
#include "transport/listener.h"
#include "transport/queue_pair.h"

namespace opennd::soft {

class SoftAdapter;

// The active end of a connection, before it is asked to connect.
class ActiveEnd : public TransportConnector {
public:
    // Begins, once; the arguments are those of TransportAdapter::connect, which has set the sink.
    virtual void connect(const Address& local, PortOrigin origin, const Address& remote, const ReadLimits& offer,
                         std::span<const std::byte> private_data, Ref<TransportQueuePair> queue_pair) = 0;
};

class Wire {
public:
    virtual ~Wire() = default;

    // "shm". Static storage.
    virtual std::string_view name() const = 0;

    // Returns true if a connection to `remote` could take this wire. `reason` explains the answer in words.
    virtual bool reaches(const Address& remote, std::string& reason) const = 0;

    // Returns true if a connection to `remote` would take this wire, for Transport::explain(), before a connection: may
    // also look for a listener.
    virtual bool would_take(const Address& remote, std::string& reason) const { return reaches(remote, reason); }

    // Finds a listener at `remote` and makes the active end of a connection to it, ready for connect().
    // connection_refused: there is none, as far as this wire can tell.
    virtual Result<Ref<ActiveEnd>> dial(Ref<SoftAdapter> adapter, const Address& remote) = 0;

    virtual Result<Ref<TransportListener>> create_listener(Ref<SoftAdapter> adapter, Ref<ListenerSink> sink) = 0;
};

}  // namespace opennd::soft
