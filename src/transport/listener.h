// SPDX-License-Identifier: MIT
// Seam: a passive address and port.
#pragma once

#include <cstdint>

#include "base/ref.h"
#include "base/result.h"
#include "transport/connector.h"

namespace opennd {

class ListenerSink : public RefCounted {
public:
    // A peer asks. The connector is in its requested state and has no sink. The callee keeps it, or refuses it by
    // Ending::give_up (ND2-LIS-LIST-02). Service thread; no transport lock held.
    virtual void on_request(Ref<TransportConnector> connector, ConnectionRequest request) = 0;
};

class TransportListener : public RefCounted {
public:
    // Reserves address and port for this listener. Port 0 takes a free one of 49152-65535 (ND2-CON-PORT-02).
    // Returns the address in force.
    //   address_in_use
    //   connection_refused    another user is in the way on this wire
    //   no_free_port
    //   invalid_address       the system does not give it now
    //   insufficient_resources
    virtual Result<Address> bind(const Address& address) = 0;
    // Peers may connect from now on. insufficient_resources.
    virtual Status listen(std::uint32_t backlog) = 0;
    // Closes the listener: no on_request follows after this returns (except one that had begun), and the address is
    // free at once (ND2-LIS-BIND-03).
    virtual void close() = 0;
};

}  // namespace opennd
