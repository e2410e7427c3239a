// SPDX-License-Identifier: MIT
// HostileCaller: see hostile_caller.h.
#include "fuzz/handshake/hostile_caller.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "fuzz/world.h"
#include "transport/local/arena/arena.h"
#include "transport/local/link/control_message.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::fuzz {
namespace {

using local::ControlMessage;
using local::ControlType;
using soft::TokenTable;

Descriptor memfd(std::size_t bytes, int seals) {
    Descriptor fd(::memfd_create("hostile", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    require(::ftruncate(fd.get(), static_cast<off_t>(bytes)) == 0 && ::fcntl(fd.get(), F_ADD_SEALS, seals) == 0,
            "a memfd can be made");
    return fd;
}

// Constant over all runs.
struct Attachments {
    SharedMemory tokens = SharedMemory::create("hostile-tokens", TokenTable::kBytes).take();
    Descriptor small = memfd(4096, F_SEAL_SHRINK | F_SEAL_GROW);
    Descriptor shrinkable = memfd(sizeof(local::ArenaLayout), F_SEAL_GROW);
    Descriptor growable = memfd(sizeof(local::ArenaLayout), F_SEAL_SHRINK);
    Descriptor empty_tokens = memfd(TokenTable::kBytes, F_SEAL_SHRINK | F_SEAL_GROW);
    Descriptor doorbell{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    Descriptor pipe_end;

    Attachments() {
        reinterpret_cast<soft::TokenTableHeader*>(tokens.data())->magic = TokenTable::kMagic;
        int ends[2];
        require(::pipe2(ends, O_CLOEXEC) == 0, "a pipe can be made");
        pipe_end = Descriptor(ends[1]);
        ::close(ends[0]);
    }
};

const Attachments& attachments() {
    static const Attachments* const all = new Attachments;
    return *all;
}

std::vector<Attachment> right_ones(ControlType type) {
    switch (type) {
        case ControlType::request: return {Attachment::tokens};
        case ControlType::link: return {Attachment::segment, Attachment::tokens};
        case ControlType::segment: return {Attachment::segment};
        default: return {};
    }
}

sockaddr_storage some_address(Script& script) {
    sockaddr_storage address = loopback_address().with_port(script.byte()).to_sockaddr();
    if (script.below(4) == 0) address.ss_family = script.byte();
    return address;
}

}  // namespace

HostileCaller::HostileCaller(LocalSocket socket)
    : socket_(std::move(socket)), segment_(SharedMemory::create("hostile-arena", sizeof(local::ArenaLayout)).take()) {
    reinterpret_cast<local::ArenaLayout*>(segment_.data())->magic = local::ArenaLayout::kMagic;
}

int HostileCaller::attachment(Attachment which) const {
    switch (which) {
        case Attachment::segment: return segment_.descriptor();
        case Attachment::small: return attachments().small.get();
        case Attachment::shrinkable: return attachments().shrinkable.get();
        case Attachment::growable: return attachments().growable.get();
        case Attachment::tokens: return attachments().tokens.descriptor();
        case Attachment::empty_tokens: return attachments().empty_tokens.get();
        case Attachment::doorbell: return attachments().doorbell.get();
        case Attachment::pipe: return attachments().pipe_end.get();
        case Attachment::socket: return socket_.descriptor();
    }
    return -1;
}

bool HostileCaller::say(Script& script) {
    ControlMessage message;
    message.type = static_cast<ControlType>(script.below(local::kControlTypes + 2));
    if (script.below(16) == 15) message.version = script.number();
    if (script.below(16) == 15) message.magic = script.number();
    message.inbound_reads = script.number();
    message.outbound_reads = script.number();
    message.asymmetric = script.byte();
    message.segment = script.byte();
    message.port_drawn = script.byte();
    message.address_exists = script.byte();
    message.private_data_bytes = script.number();
    message.cookie_address = script.raw<std::uint64_t>();
    message.local = some_address(script);
    message.remote = some_address(script);
    std::vector<Attachment> which = right_ones(message.type);
    if (script.below(4) == 3) which.resize(script.below(LocalSocket::kMaxDescriptors + 1), Attachment::segment);
    if (script.below(4) == 3 && !which.empty())
        which[script.below(which.size())] = static_cast<Attachment>(script.below(kAttachments));
    listen();
    message.nonce = script.below(8) == 7 ? script.raw<std::uint64_t>() : nonce_;
    message.open = 1;
    message.connection = script.below(8) == 7 ? script.number() : 0;
    message.tokens_attached = which.empty() ? 0 : 1;
    std::vector<int> descriptors;
    for (const Attachment each : which) descriptors.push_back(attachment(each));
    (void)socket_.send(std::as_bytes(std::span(&message, 1)), descriptors);
    return local::is_farewell(message.type) || message.type == ControlType::finished;
}

// Learns the nonce of the honest side's request.
void HostileCaller::listen() {
    for (;;) {
        const auto heard = local::receive(socket_);
        if (!heard.ok()) return;
        if (heard.value().message.type == ControlType::request) nonce_ = heard.value().message.nonce;
    }
}

void HostileCaller::babble(Script& script) {
    std::array<std::byte, sizeof(ControlMessage) + 8> bytes{};
    const std::size_t count = std::min<std::size_t>(1 + script.raw<std::uint16_t>(), bytes.size());
    for (std::size_t i = 0; i < count && !script.over(); ++i) bytes[i] = static_cast<std::byte>(script.byte());
    (void)socket_.send(std::span(bytes).first(count));
}

}  // namespace opennd::fuzz
