// SPDX-License-Identifier: MIT
//
// The floor of many connections in shared memory: a ring for each direction of each, and bits that tell which have a message, 64 to
// a word, under words of the same kind. A side looks at the ring that was busy last, and then at the words. Polled alone. Read
// turns.h first.
#include "turns.h"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <bit>
#include <csignal>
#include <cstdint>
#include <new>

namespace {

using namespace benchmark;

constexpr std::size_t kBits = 64;
constexpr std::size_t kMostConnections = 1 << 14;
constexpr std::size_t kSlots = 4;

struct alignas(64) Slot {
    std::atomic<std::uint64_t> sequence{0};  // of its message, stored last
    std::uint64_t word = 0;
};
using Ring = std::array<Slot, kSlots>;

// One direction of all connections.
struct Direction {
    // Bit i of upper_[j]: word 64 * j + i of lower_ is not 0.
    alignas(64) std::array<std::atomic<std::uint64_t>, kMostConnections / kBits / kBits> upper{};
    alignas(64) std::array<std::atomic<std::uint64_t>, kMostConnections / kBits> lower{};
    std::array<Ring, kMostConnections> rings;
};

class Producer {
public:
    explicit Producer(Direction& out) : out_(out), sent_(kMostConnections) {}
    void send(std::size_t connection, std::uint64_t word) {
        const std::uint64_t number = sent_[connection]++;
        Slot& slot = out_.rings[connection][number % kSlots];
        slot.word = word;
        slot.sequence.store(number + 1, std::memory_order_release);
        set(out_.lower, connection);
        set(out_.upper, connection / kBits);
    }

private:
    template <typename Words>
    static void set(Words& words, std::size_t bit) {
        words[bit / kBits].fetch_or(std::uint64_t{1} << bit % kBits, std::memory_order_acq_rel);
    }
    Direction& out_;
    std::vector<std::uint64_t> sent_;
};

class Consumer {
public:
    Consumer(Direction& in, std::size_t connections)
        : in_(in), words_((connections + kBits * kBits - 1) / kBits / kBits), taken_(kMostConnections) {}
    // The connection that a message came from.
    std::size_t receive(std::uint64_t& word) {
        for (;;) {
            if (take(busy_, word)) return busy_;
            for (std::size_t each = 0; each < words_; ++each)
                if (in_.upper[each].load(std::memory_order_relaxed) != 0) look_below(each);
            while (!ready_.empty()) {
                busy_ = ready_.back();
                if (take(busy_, word)) return busy_;
                ready_.pop_back();
            }
        }
    }

private:
    bool take(std::size_t connection, std::uint64_t& word) {
        const std::uint64_t number = taken_[connection];
        const Slot& slot = in_.rings[connection][number % kSlots];
        if (slot.sequence.load(std::memory_order_acquire) != number + 1) return false;
        word = slot.word;
        ++taken_[connection];
        return true;
    }
    void look_below(std::size_t each) {
        for (std::uint64_t words = in_.upper[each].exchange(0, std::memory_order_acq_rel); words != 0;
             words &= words - 1) {
            const std::size_t word = each * kBits + static_cast<std::size_t>(std::countr_zero(words));
            for (std::uint64_t bits = in_.lower[word].exchange(0, std::memory_order_acq_rel); bits != 0;
                 bits &= bits - 1)
                ready_.push_back(word * kBits + static_cast<std::size_t>(std::countr_zero(bits)));
        }
    }
    Direction& in_;
    const std::size_t words_;
    std::vector<std::uint64_t> taken_;
    std::vector<std::size_t> ready_;
    std::size_t busy_ = 0;
};

class Client {
public:
    Client(Producer& out, Consumer& in) : out_(out), in_(in) {}
    void turn(std::size_t connection) {
        out_.send(connection, ++last_);
        std::uint64_t answer = 0;
        need(in_.receive(answer) == connection && answer == last_, "answer");
    }

private:
    Producer& out_;
    Consumer& in_;
    std::uint64_t last_ = 0;
};

}  // namespace

int main(int count, char** words) {
    const Options options = parse(count, words);
    need(options.connections <= kMostConnections && !options.sleeps, "options");
    void* const memory =
        ::mmap(nullptr, 2 * sizeof(Direction), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    need(memory != MAP_FAILED, "mmap");
    auto* const directions = static_cast<Direction*>(memory);  // zeroed memory is a valid one
    const pid_t server = start_server([&] {
        Consumer in(directions[0], options.connections);
        Producer out(directions[1]);
        for (;;) {
            std::uint64_t word = 0;
            const std::size_t connection = in.receive(word);
            out.send(connection, word);
        }
    });
    Producer out(directions[0]);
    Consumer in(directions[1], options.connections);
    Client client(out, in);
    measure("ready_rings", options, client);
    ::kill(server, SIGTERM);
}
