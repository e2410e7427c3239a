// SPDX-License-Identifier: MIT
// Input: see input.h.
#include "transport/iwarp/input.h"

#include <cstring>
#include <new>

#include "transport/iwarp/wire/big_endian.h"

namespace opennd::iwarp {

Input::Input(Crc crc, SocketBuffers& buffers, std::span<const std::byte> arrived)
    : deframer_(crc), buffer_(buffers), end_(arrived.size()), octets_(arrived.size()) {
    if (arrived.empty()) return;
    if (!buffer_.borrow()) throw std::bad_alloc();
    std::memcpy(buffer_.get(), arrived.data(), arrived.size());
}

Result<std::size_t> Input::fill(TcpSocket& socket) {
    if (!buffer_.borrow()) return Status::no_memory;
    if (begin_ == end_) {
        begin_ = end_ = 0;
    } else if (kBytes - begin_ < fpdu_bytes(kMaxUlpdu)) {
        std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    const std::span<std::byte> room(buffer_.get() + end_, kBytes - end_);
    auto taken = socket.receive(room);
    drained_ = !taken.ok() || taken.value() < room.size();
    if (taken.ok()) {
        end_ += taken.value();
        octets_ += taken.value();
    }
    return taken;
}

Checked<std::optional<std::span<const std::byte>>> Input::next() {
    std::span<const std::byte> arrived(buffer_.get() + begin_, end_ - begin_);
    if (arrived.size() < kLengthBytes) return std::optional<std::span<const std::byte>>();
    const std::size_t bytes = fpdu_bytes(load_big_endian<std::uint16_t>(arrived.data()));
    if (arrived.size() < bytes) return std::optional<std::span<const std::byte>>();
    begin_ += bytes;
    ++fpdus_;
    arrived = arrived.first(bytes);
    return deframer_.next(arrived);
}

}  // namespace opennd::iwarp
