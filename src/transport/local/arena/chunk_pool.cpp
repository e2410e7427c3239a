// SPDX-License-Identifier: MIT
// ChunkPool: see chunk_pool.h.
#include "transport/local/arena/chunk_pool.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "platform/process/clock.h"

namespace opennd::local {
namespace {

constexpr std::chrono::seconds kBetweenLooks{1};

constexpr std::uint32_t most_in_plenty(std::size_t kind) { return kChunkKinds[kind].kept / 4; }
constexpr std::uint32_t most_in_enough(std::size_t kind) { return kChunkKinds[kind].kept / 2; }

}  // namespace

ChunkPool::ChunkPool(EventLoop* loop, Ref<Arena> arena, std::uint32_t side)
    : loop_(loop),
      arena_(std::move(arena)),
      own_(arena_->chunks(side)),
      kinds_{{{FreeNumbers(kChunkKinds[0].count())},
              {FreeNumbers(kChunkKinds[1].count())},
              {FreeNumbers(kChunkKinds[2].count())}}} {}

std::size_t ChunkPool::take(std::size_t kind, Counts& held, std::span<std::uint16_t> room) {
    std::size_t count = 0;
    bool starts_to_watch = false;
    {
        const Held lock(lock_);
        do {
            const std::optional<std::uint32_t> chunk = take_one(kind, held[kind]);
            if (!chunk) break;
            ++held[kind];
            room[count++] = static_cast<std::uint16_t>(*chunk);
        } while (count < room.size() && has_plenty());
        starts_to_watch = kinds_[kind].touched > kChunkKinds[kind].kept && !std::exchange(watched_, true);
    }
    if (starts_to_watch) [[unlikely]]
        watch();
    return count;
}

std::optional<std::uint32_t> ChunkPool::take_one(std::size_t number, std::uint32_t held) {
    Kind& kind = kinds_[number];
    if (held != 0) {
        if (held > kChunkKinds[number].shared - kind.shared) return std::nullopt;
        ++kind.shared;
    }
    const std::optional<std::uint32_t> in_turn = kind.free.take_from(kind.next, kChunkKinds[number].kept);
    const std::uint32_t taken =
        in_turn ? *in_turn : *kind.free.take();  // there is one for each connection beside the shared
    kind.next = taken + 1;
    if (is_last_of_a_level(number, kind.taken++)) [[unlikely]]
        note_level();
    kind.used = std::max(kind.used, taken + 1);
    kind.touched = std::max(kind.touched, taken + 1);
    return chunk_origin(number).number + taken;
}

void ChunkPool::give(std::span<const std::uint16_t> chunks, Counts& held) {
    const Held lock(lock_);
    for (const std::uint16_t chunk : chunks) give_one(chunk, held[Chunks::kind_of(chunk)]--);
}

void ChunkPool::give_one(std::uint32_t chunk, std::uint32_t held) {
    const std::size_t number = Chunks::kind_of(chunk);
    Kind& kind = kinds_[number];
    if (held != 1) --kind.shared;
    kind.free.give(chunk - chunk_origin(number).number);
    if (is_last_of_a_level(number, --kind.taken)) [[unlikely]]
        note_level();
}

// Returns true if one chunk more is the next level.
bool ChunkPool::is_last_of_a_level(std::size_t kind, std::uint32_t taken) {
    return taken == most_in_plenty(kind) || taken == most_in_enough(kind);
}

ChunkPool::Level ChunkPool::level_of(std::size_t kind) const {
    const std::uint32_t taken = kinds_[kind].taken;
    if (taken > most_in_enough(kind)) return Level::scarce;
    return taken > most_in_plenty(kind) ? Level::enough : Level::plenty;
}

void ChunkPool::note_level() {
    Level level = Level::plenty;
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) level = std::max(level, level_of(kind));
    level_.store(level, std::memory_order_relaxed);
}

void ChunkPool::watch() {
    if (!loop_) return;
    try {
        loop_->schedule(now() + kBetweenLooks, [self = Ref<ChunkPool>(this)] {
            if (self->return_memory()) self->watch();
        });
    } catch (const std::bad_alloc&) {
        const Held lock(lock_);
        watched_ = false;  // the next one that is taken tries again
    }
}

bool ChunkPool::return_memory() {
    bool more = false;
    for (std::size_t kind = 0; kind < kChunkKinds.size(); ++kind) more |= return_memory_of(kind);
    const Held lock(lock_);
    return watched_ = more;
}

// Returns memory of one kind to the system. The chunks are taken, as shared ones, while their memory goes back. Returns
// true if there is memory for another look.
bool ChunkPool::return_memory_of(std::size_t number) {
    const ChunkKind& size = kChunkKinds[number];
    std::uint32_t begin = 0, end = 0;
    {
        const Held lock(lock_);
        Kind& kind = kinds_[number];
        end = kind.touched;
        const std::uint32_t in_use = std::max(kind.free.end_of_taken(end), size.kept);
        const std::uint32_t fewest = end - std::min(end, size.shared - kind.shared);
        begin = std::max({in_use, fewest, std::exchange(kind.used, in_use)});
        if (begin >= end) return in_use < end;
        for (std::uint32_t chunk = begin; chunk < end; ++chunk) kind.free.take(chunk);
        kind.shared += end - begin;
        kind.touched = begin;
    }
    arena_->give_back(own_.memory + chunk_origin(number).offset + std::size_t{begin} * size.stride,
                      std::size_t{end - begin} * size.stride);
    const Held lock(lock_);
    Kind& kind = kinds_[number];
    for (std::uint32_t chunk = begin; chunk < end; ++chunk) kind.free.give(chunk);
    kind.shared -= end - begin;
    return kind.free.end_of_taken(kind.touched) < kind.touched && kind.touched > size.kept;
}

}  // namespace opennd::local
