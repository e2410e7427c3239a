// SPDX-License-Identifier: MIT
//
// Queue: one end of a connection of Network Direct, as SMB Direct uses it: a queue pair, one completion queue for all of its
// results, one piece of registered memory, and one memory window. nd2_queue.cpp makes it of version 2, nd1_queue.cpp of
// version 1. They are alike on the wire; version 1 alone has a Send that invalidates a window of the peer.
#pragma once

#include "../object.h"
#include "messages.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace smb_direct {

using example::expect;
using example::generic;
using example::need;
using example::Object;

// A request, from its post to its result.
struct Request {
    enum class Kind { receive, send, rdma, window };

    ND_RESULT result{};  // of version 1, which tells of a request by the address of this
    Kind kind = Kind::receive;
    std::size_t slot = 0;
};

struct Depths {
    ULONG receives = 0, requests = 0;
    SIZE_T memory = 0;  // bytes
};

enum class Access { peer_reads, peer_writes };

class Queue {
public:
    virtual ~Queue() = default;

    // Receives may be posted before. `tell` gets the port, as soon as clients can connect.
    virtual void accept(const std::function<void(unsigned short)>& tell) = 0;
    virtual void connect(const sockaddr_in& server) = 0;
    virtual void disconnect() = 0;

    // Memory is named by its place in this queue's.
    std::span<std::byte> memory(SIZE_T at, SIZE_T bytes) { return std::span(memory_).subspan(at, bytes); }
    virtual void receive(Request& request, SIZE_T at, SIZE_T bytes) = 0;
    virtual void send(Request& request, SIZE_T at, SIZE_T bytes) = 0;
    // Also takes back the peer's window with this token. False: not posted, for version 2 cannot.
    virtual bool send_and_invalidate(Request& request, SIZE_T at, SIZE_T bytes, UINT32 token) = 0;
    virtual void write(Request& request, SIZE_T at, const BufferDescriptor& to) = 0;
    virtual void read(Request& request, SIZE_T at, const BufferDescriptor& from) = 0;

    // Opens memory to the peer, without a result.
    virtual BufferDescriptor bind(Request& request, SIZE_T at, SIZE_T bytes, Access access) = 0;
    // Takes it back; the result of `request` says that it is done. False: it is done already, without a result. `asked`: the peer
    // was asked to do it, and its answer has been received.
    virtual bool unbind(Request& request, bool asked) = 0;

    struct Done {
        Request* request;
        HRESULT status;
        SIZE_T bytes;
    };
    virtual std::optional<Done> next_result() = 0;
    // Sleeps until there is a result. False: there will be none, for the peer has left.
    virtual bool wait() = 0;

protected:
    explicit Queue(SIZE_T bytes) : memory_(bytes) {}

    std::vector<std::byte> memory_;  // derived classes end its registration before it goes
};

// At an address of this host.
std::unique_ptr<Queue> make_nd2_queue(const sockaddr_in& local, const Depths& depths);
std::unique_ptr<Queue> make_nd1_queue(const sockaddr_in& local, const Depths& depths);

}  // namespace smb_direct
