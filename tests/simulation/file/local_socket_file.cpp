// SPDX-License-Identifier: MIT
// See local_socket_file.h; unix(7).
#include "simulation/file/local_socket_file.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "simulation/system/real.h"

namespace opennd::simulation {

int LocalSocketFile::bind(const std::string& name) {
    const auto key = std::pair(process_.machine().number(), name);
    auto& names = world_.network().names();
    if (names.contains(key)) return EADDRINUSE;
    name_ = name;
    names[key] = this;
    return 0;
}

int LocalSocketFile::listen(int backlog) {
    listening_ = true;
    backlog_ = static_cast<std::size_t>(backlog < 0 ? 0 : backlog) + 1;
    peer_process_ = &process_;
    return 0;
}

int LocalSocketFile::connect(const std::string& name) {
    const auto found = world_.network().names().find(std::pair(process_.machine().number(), name));
    if (found == world_.network().names().end() || !found->second->listening_) return ECONNREFUSED;
    LocalSocketFile& listener = *found->second;
    if (listener.waiting_.size() >= listener.backlog_) return EAGAIN;
    auto& other = world_.files().make<LocalSocketFile>(world_, listener.process_, number_ | 1u << 31);
    join(other);
    listener.waiting_.push_back(&other);
    world_.note(Step::accepts, other.number_);
    listener.tell(world_, EPOLLIN);
    return 0;
}

void LocalSocketFile::join(LocalSocketFile& other) {
    peer_ = &other;
    other.peer_ = this;
    peer_process_ = &other.process_;
    other.peer_process_ = &process_;
}

LocalSocketFile* LocalSocketFile::accept() {
    if (waiting_.empty()) return nullptr;
    LocalSocketFile* const accepted = waiting_.front();
    waiting_.pop_front();
    return accepted;
}

int LocalSocketFile::send(std::span<const std::byte> bytes, std::span<const int> descriptors) {
    if (over_ || !peer_) return peer_process_ ? EPIPE : ENOTCONN;
    if (peer_->packets_.size() >= kQueue) {
        out_of_room_ = true;
        return EAGAIN;
    }
    Packet packet{{bytes.begin(), bytes.end()}, {}};
    for (const int descriptor : descriptors) packet.descriptors.push_back(real::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    peer_->packets_.push_back(std::move(packet));
    world_.note(Step::sends, number_, bytes.size());
    peer_->tell(world_, EPOLLIN);
    return 0;
}

int LocalSocketFile::receive(Packet& packet) {
    if (std::exchange(reset_, false)) return ECONNRESET;
    if (packets_.empty()) {
        packet = {};
        return over_ || !peer_ ? 0 : EAGAIN;
    }
    packet = std::move(packets_.front());
    packets_.pop_front();
    world_.note(Step::takes, number_, packet.bytes.size());
    if (peer_ && std::exchange(peer_->out_of_room_, false)) peer_->tell(world_, EPOLLOUT);
    return 0;
}

void LocalSocketFile::shut_down() {
    over_ = true;
    tell(world_, EPOLLIN | EPOLLOUT | EPOLLHUP | EPOLLRDHUP);
    if (!peer_) return;
    peer_->over_ = true;
    peer_->tell(world_, EPOLLIN | EPOLLOUT | EPOLLHUP | EPOLLRDHUP);
}

std::size_t LocalSocketFile::unread_at_peer() const {
    std::size_t bytes = 0;
    if (peer_)
        for (const Packet& packet : peer_->packets_) bytes += packet.bytes.size();
    return bytes;
}

std::uint32_t LocalSocketFile::readiness() {
    if (listening_) return waiting_.empty() ? 0u : EPOLLIN;
    std::uint32_t ready = 0;
    if (!packets_.empty() || reset_) ready |= EPOLLIN;
    if (over_ || !peer_) return ready | EPOLLIN | EPOLLOUT | EPOLLHUP | EPOLLRDHUP;
    if (peer_->packets_.size() < kQueue)
        ready |= EPOLLOUT;
    else
        out_of_room_ = true;
    return ready;
}

void LocalSocketFile::lose_peer(bool reset) {
    peer_ = nullptr;
    reset_ = reset;
    tell(world_, EPOLLIN | EPOLLOUT | EPOLLHUP | EPOLLRDHUP);
}

void LocalSocketFile::on_close() {
    if (!name_.empty()) world_.network().names().erase(std::pair(process_.machine().number(), name_));
    listening_ = false;
    for (LocalSocketFile* const waiting : waiting_)
        if (waiting->peer_) waiting->peer_->lose_peer(true);
    waiting_.clear();
    const bool unread = !packets_.empty();
    for (const Packet& packet : packets_)
        for (const int descriptor : packet.descriptors) real::close(descriptor);
    packets_.clear();
    if (peer_) std::exchange(peer_, nullptr)->lose_peer(unread);
}

}  // namespace opennd::simulation
