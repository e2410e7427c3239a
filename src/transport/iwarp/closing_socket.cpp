// SPDX-License-Identifier: MIT
// ClosingSocket: see closing_socket.h.
#include "transport/iwarp/closing_socket.h"

#include <array>
#include <chrono>
#include <new>

namespace opennd::iwarp {
namespace {

// T_term: until the last octets are written (IW-ERR-03). T_close: from this side's end to the peer's.
constexpr std::chrono::seconds kWritePatience{2}, kEndPatience{5};
// Reads at a time; a peer that keeps sending must not hold the service thread.
constexpr int kMostReads = 64;

}  // namespace

ClosingSocket::ClosingSocket(EventLoop& loop, TcpSocket socket, std::span<const std::byte> unsent)
    : loop_(loop), socket_(std::move(socket)), unsent_(unsent.begin(), unsent.end()) {}

void ClosingSocket::close(EventLoop& loop, TcpSocket socket, std::span<const std::byte> unsent) {
    if (!socket) return;
    Ref<ClosingSocket> closing;
    try {
        closing = Ref<ClosingSocket>(new ClosingSocket(loop, std::move(socket), unsent));
        closing->socket_.keep_after_exit();
        if (!closing->advance()) return;
        closing->set_deadline();
        // Room is not waited for when all is sent: there is some, which would be reported at once.
        const std::uint32_t events = closing->ended_ ? EventLoop::kSocket : EventLoop::kFullSocket;
        // From here on on_ready() may run.
        if (!ok(loop.add(closing->socket_.descriptor(), events, closing, EventLoop::Known::left))) closing->leave();
    } catch (const std::bad_alloc&) {
        if (closing) closing->leave();  // otherwise the peer sees a reset
    }
}

// The loop no longer reports the peer's end. The system ends a socket by itself once it has the last octets.
void ClosingSocket::leave() {
    loop_.cancel(timer_);
    if (ended_)
        socket_.close();
    else
        socket_.reset();
}

void ClosingSocket::set_deadline() {
    const std::chrono::seconds patience = ended_ ? kEndPatience : kWritePatience;
    timer_ = loop_.schedule(now() + patience, [self = Ref<ClosingSocket>(this)] { self->expire(); });
}

void ClosingSocket::on_ready(std::uint32_t) {
    if (!socket_) return;
    const bool had_ended = ended_;
    if (!advance()) return finish();
    if (had_ended == ended_) return;
    loop_.cancel(timer_);
    set_deadline();
}

// Sends what is left. Returns false once the wait is over.
bool ClosingSocket::advance() {
    while (sent_ < unsent_.size()) {
        const auto taken = socket_.send(std::span<const std::byte>(unsent_).subspan(sent_));
        if (!taken.ok()) break;
        sent_ += taken.value();
    }
    if (sent_ == unsent_.size() && !ended_) {
        socket_.end_sending();
        ended_ = true;
    }
    std::array<std::byte, 16 * 1024> dropped;
    for (int reads = 0; reads < kMostReads; ++reads) {
        const auto received = socket_.receive(dropped);
        if (received.status() == Status::would_block) return true;
        if (!received.ok()) return false;
        if (received.value() == 0) return !ended_;
    }
    return true;
}

void ClosingSocket::expire() {
    timer_ = {};
    if (!socket_) return;
    loop_.remove(socket_.descriptor(), EventLoop::Known::left);
    socket_.reset();
}

void ClosingSocket::finish() {
    loop_.cancel(timer_);
    loop_.remove(socket_.descriptor(), EventLoop::Known::left);
    socket_.close();
}

}  // namespace opennd::iwarp
