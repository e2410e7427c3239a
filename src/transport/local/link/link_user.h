// SPDX-License-Identifier: MIT
// The user of one connection of a link: its connector.
#pragma once

#include "base/ref.h"
#include "base/status.h"
#include "transport/local/link/control_message.h"

namespace opennd::local {

class LinkEnd;

// Called on the service thread, with no lock of the link held.
class LinkUser : public RefCounted {
public:
    // The request has a connection now. To be called before any other.
    virtual void on_joined(const Ref<LinkEnd>& link_end) = 0;
    virtual void on_record(ReceivedControl& record) = 0;
    // There may be news in the segment.
    virtual void on_wake_up() = 0;
    // The peer says no more about this connection, or its process has ended: `disconnected`. This follows
    // on_record(), too, of a record that ends the connection. Or the connection never began, for another reason.
    virtual void on_left(Status why) = 0;
};

}  // namespace opennd::local
