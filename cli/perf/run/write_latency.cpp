// SPDX-License-Identifier: MIT
//
// Latency of Write. The data of a Write become visible in address order (ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED,
// ND2-ADP-LIM-04), so a new last byte means that all of it is there. Read tests.h and lane.h first.
#include "pattern.h"
#include "perf/plan/batch_size.h"
#include "perf/run/tests.h"
#include "perf/run/timed_turns.h"

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

namespace nd {
namespace {

using Marker = unsigned char;

// 0 is the memory's content before the first turn; 1 to 254 go round; 255 ends the game.
constexpr Marker kStop = 255;
constexpr Marker marker_of(std::uint64_t turn) { return static_cast<Marker>(1 + turn % 254); }

// The last byte of the memory that the peer writes to, looked at in the unit in which it is stored: by itself, or as part
// of an aligned word, if the data have one there.
class LastByte {
public:
    explicit LastByte(std::byte* last)
        : byte_(reinterpret_cast<Marker&>(*last)),
          word_(reinterpret_cast<std::uintptr_t>(last) % sizeof(Word) == sizeof(Word) - 1
                    ? reinterpret_cast<Word*>(last + 1) - 1
                    : nullptr) {}

    Marker look() const {
        if (word_ == nullptr) return byte_.load(std::memory_order_acquire);
        const auto bytes =
            std::bit_cast<std::array<Marker, sizeof(Word)>>(std::atomic_ref(*word_).load(std::memory_order_acquire));
        return bytes.back();
    }

private:
    using Word = std::uint64_t;

    const std::atomic_ref<Marker> byte_;
    Word* const word_;
};

template <bool kVerify>
class WritePingPong {
public:
    explicit WritePingPong(Endpoint& endpoint)
        : lane_(endpoint.lane()),
          queue_(endpoint.queue()),
          source_(lane_.source.data()),
          last_(endpoint.plan().size - 1),
          is_inline_(endpoint.plan().size <= endpoint.plan().inline_bytes),
          arrived_(lane_.target + last_) {}

    void write(std::uint64_t turn) {
        while (lane_.room() == 0) take_results();
        if (!is_inline_)
            while (lane_.source_in_use()) take_results();
        if constexpr (kVerify) fill_pattern(source_, last_, turn);
        source_[last_] = std::byte{marker_of(turn)};
        lane_.post<Operation::write>(lane_.source, 0, lane_.signal_flag(false));
    }

    // False if the other side has stopped.
    bool wait(std::uint64_t turn) {
        const Marker expected = marker_of(turn);
        for (unsigned spins = 1;; spins++) {
            const Marker seen = arrived_.look();
            if (seen == expected) break;
            if (seen == kStop) return false;
            // Transports that need this side's processor get it here, as in a program that looks at its queues too.
            if (spins % kSpinsBetweenLooks == 0) take_results();
        }
        if constexpr (kVerify) {
            verify_pattern(lane_.target, last_, turn, "write");
            verified_++;
        }
        return true;
    }

    void turn() {
        write(turn_);
        wait(turn_);
        turn_++;
    }

    void stop() {
        while (lane_.room() == 0 || lane_.source_in_use()) take_results();
        source_[last_] = std::byte{kStop};
        lane_.post<Operation::write>(lane_.source, 0, lane_.signal_flag(true));
        drain();
    }

    void drain() {
        if (lane_.until_signal != lane_.moderation) {  // the last request asked for no result
            while (lane_.room() == 0) take_results();
            lane_.post<Operation::write>(Piece(), 0, lane_.signal_flag(true));
        }
        while (lane_.completed < lane_.posted) take_results();
    }

    std::uint64_t verified() const { return verified_; }

private:
    static constexpr unsigned kSpinsBetweenLooks = 256;

    void take_results() {
        ND2_RESULT results[8];
        const ULONG count = queue_.look<WaitBy::polling>(results, 8);
        for (ULONG i = 0; i < count; i++) {
            CompletionQueue::check_result(results[i], "write to the peer's memory");
            lane_.complete(results[i]);
        }
    }

    Lane& lane_;
    CompletionQueue& queue_;
    std::byte* const source_;
    const std::size_t last_;  // index of the last byte
    const bool is_inline_;    // the memory is the program's again after the post
    const LastByte arrived_;
    std::uint64_t turn_ = 0, verified_ = 0;
};

template <bool kVerify>
Measurement measure_writes(Endpoint& endpoint, ProgressBar* bar) {
    WritePingPong<kVerify> game(endpoint);
    return measure_turns(game, endpoint.plan(), bar);
}

template <bool kVerify>
Measurement answer(Endpoint& endpoint) {
    WritePingPong<kVerify> game(endpoint);
    ContextSwitches before = ContextSwitches::so_far();
    std::uint64_t turn = 0;
    for (; game.wait(turn); turn++) {
        game.write(turn);
        if (turn + 1 == endpoint.plan().warmup) [[unlikely]]
            before = ContextSwitches::so_far();
    }
    Measurement measured;
    measured.switches = ContextSwitches::so_far() - before;
    game.drain();
    measured.iterations = turn;
    measured.verified = game.verified();
    return measured;
}

}  // namespace

Measurement measure_write_latency(Endpoint& endpoint, ProgressBar* bar) {
    return endpoint.plan().verify != 0 ? measure_writes<true>(endpoint, bar) : measure_writes<false>(endpoint, bar);
}

Measurement answer_write_latency(Endpoint& endpoint) {
    return endpoint.plan().verify != 0 ? answer<true>(endpoint) : answer<false>(endpoint);
}

}  // namespace nd
