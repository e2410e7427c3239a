// SPDX-License-Identifier: MIT
//
// See board.h.
#include "model/play/board.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

namespace opennd::modeled {

void Board::reset(const Program& next) {
    const std::string text = text_of(next);
    if (text.size() >= kMostText || next.operations.size() > kMostOperations)
        throw std::runtime_error("too long a program");
    std::memcpy(program, text.c_str(), text.size() + 1);
    listens = false;
    for (auto& each : returned) each = false;
    for (auto& each : ended) each = false;
    for (unsigned side = 0; side < kSides; ++side) {
        dead[side] = false;
        phase[side] = 0;
        addresses[side] = 0;
        for (auto& pair : grants[side])
            for (auto& grant : pair) grant = 0;
        for (auto& each : left[side]) each = false;
        for (auto& count : sends[side]) count = 0;
        for (auto& count : receives[side]) count = 0;
        trails[side].count = 0;
        trails[side].used = 0;
        trails[side].complained = 0;
    }
}

SharedBoard::SharedBoard() : descriptor_(memfd_create("model", 0)) {
    if (descriptor_ < 0 || ftruncate(descriptor_, sizeof(Board)) != 0) throw std::runtime_error("no memory to share");
    map();
    new (board_) Board;
}

SharedBoard::SharedBoard(int descriptor) : descriptor_(descriptor) { map(); }

SharedBoard::~SharedBoard() {
    munmap(board_, sizeof(Board));
    close(descriptor_);
}

void SharedBoard::map() {
    void* const memory = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("the board cannot be mapped");
    board_ = static_cast<Board*>(memory);
}

void Bell::ring() {
    rung_.fetch_add(1);
    syscall(SYS_futex, &rung_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Bell::sleep(std::uint32_t heard) {
    const timespec most{.tv_sec = 0, .tv_nsec = 50'000'000};
    syscall(SYS_futex, &rung_, FUTEX_WAIT, heard, &most, nullptr, 0);
}

std::size_t Writer::add(Event event, std::span<const std::byte> data) {
    const std::uint32_t index = trail_.count;
    if (index == kMostEvents) throw std::runtime_error("more events than the board holds");
    if (event.begun == 0) event.begun = now_ns();
    if (data.data() != nullptr) attach(event, data);
    trail_.events[index] = event;
    trail_.count.store(index + 1, std::memory_order_release);
    return index;
}

void Writer::attach(Event& event, std::span<const std::byte> data) {
    if (trail_.used + data.size() > kArenaBytes) throw std::runtime_error("more bytes than the board holds");
    event.at = trail_.used;
    event.length = data.size();
    event.has_data = true;
    if (!data.empty()) std::memcpy(trail_.arena + event.at, data.data(), data.size());
    trail_.used += data.size();
}

void Writer::complain(const std::string& text) {
    const std::uint32_t used = trail_.complained;
    const auto length = std::min<std::uint32_t>(static_cast<std::uint32_t>(text.size()), kMostText - used);
    std::memcpy(trail_.complaints + used, text.data(), length);
    trail_.complained = used + length;
}

}  // namespace opennd::modeled
