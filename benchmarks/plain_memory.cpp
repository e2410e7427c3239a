// SPDX-License-Identifier: MIT
//
// The floors of two processes that share memory, both polling: a ring of slots out of which the receiver copies (two_copy) or in
// which it uses the message (one_copy: its own buffers are the slots), and process_vm_readv and process_vm_writev between private
// memories (kernel_copy). Read two_sides.h first.
//
// Usage: plain_memory DESIGN TEST BYTES [MILLISECONDS]
//   DESIGN one_copy, two_copy or kernel_copy
//   TEST   send_lat, write_lat: half of a round trip; read_lat: the whole of a Read; send_bw, write_bw, read_bw: one direction;
//          send_rate: as send_bw, in messages
#include "two_sides.h"

#include <sys/mman.h>
#include <sys/uio.h>

#include <atomic>
#include <cstring>
#include <new>

namespace {

using namespace benchmark;

constexpr std::size_t kLine = 64;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kPieceBytes = 8192;  // of a message in two copies: the second begins while the first goes on
constexpr std::size_t kMostSlots = 64;
constexpr std::size_t kWindow = 4;  // of messages that the kernel copies

// How much memory the slots of a ring take, and how many they are at least; no more than kMostSlots.
struct RingSize {
    std::size_t bytes, fewest_slots;
};
constexpr RingSize kTwoCopies{512 << 10, 4};
constexpr RingSize kOneCopyStream{64 << 10, 2};
constexpr RingSize kOneCopyEcho{0, 1};  // the same buffer each time, which stays in the cache of its writer

std::byte* shared_memory(std::size_t bytes) {
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    need(memory != MAP_FAILED, "mmap");
    return static_cast<std::byte*>(memory);
}

// A number that one process stores and the other polls; alone in its line.
struct alignas(kLine) Counter {
    std::atomic<std::uint64_t> value{0};
    void wait_for(std::uint64_t least) const {
        while (value.load(std::memory_order_acquire) < least) {
        }
    }
};

// One direction: a message is one or more pieces, each in a slot behind the number of its turn, so that a short one is one line.
class Ring {
public:
    Ring(std::size_t bytes, std::size_t piece, RingSize size)
        : bytes_(bytes),
          piece_(piece),
          header_(sizeof(Number) + piece <= kLine ? sizeof(Number) : kLine),
          stride_((header_ + piece + kLine - 1) / kLine * kLine),
          slots_(std::clamp(size.bytes / stride_, size.fewest_slots, kMostSlots)),
          grain_((slots_ + 3) / 4),
          memory_(shared_memory(stride_ * slots_)),
          taken_(new (shared_memory(sizeof(Counter))) Counter) {}

    void send(const std::byte* message) {
        for (std::size_t at = 0; at < bytes_; at += piece_) {
            if (sent_ - known_taken_ == slots_) {
                taken_->wait_for(sent_ - slots_ + 1);
                known_taken_ = taken_->value.load(std::memory_order_acquire);
            }
            std::byte* const slot = slot_of(sent_);
            std::memcpy(slot + header_, message + at, std::min(piece_, bytes_ - at));
            number_of(slot).store(++sent_, std::memory_order_release);
        }
    }
    // The peer's answer proves that it has taken all that was sent.
    void answered() { known_taken_ = sent_; }
    // `into` is null where the message is used in its slots.
    void receive(std::byte* into) {
        for (std::size_t at = 0; at < bytes_; at += piece_) {
            std::byte* const slot = slot_of(received_);
            while (number_of(slot).load(std::memory_order_acquire) != received_ + 1) {
            }
            if (into != nullptr) std::memcpy(into + at, slot + header_, std::min(piece_, bytes_ - at));
            if (++received_ % grain_ == 0) taken_->value.store(received_, std::memory_order_release);
        }
    }

private:
    using Number = std::atomic<std::uint64_t>;
    std::byte* slot_of(std::uint64_t turn) const { return memory_ + turn % slots_ * stride_; }
    static Number& number_of(std::byte* slot) { return *reinterpret_cast<Number*>(slot); }

    const std::size_t bytes_, piece_, header_, stride_, slots_;
    const std::size_t grain_;  // slots that the receiver gives back at a time
    std::byte* const memory_;
    Counter* const taken_;
    std::uint64_t sent_ = 0, known_taken_ = 0, received_ = 0;  // of this process
};

// Memory of one process that the other reaches through the kernel; made before the second process, it has one address in both.
class Private {
public:
    explicit Private(std::size_t bytes) : bytes_(bytes) {
        void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        need(memory != MAP_FAILED, "mmap");
        memory_ = static_cast<std::byte*>(memory);
    }
    // Each process calls it: it has pages of its own then, and the other one may copy from and to them.
    void touch() {
        ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
        std::memset(memory_, 1, bytes_);
    }
    std::byte* begin() const { return memory_; }
    std::byte& last() const { return memory_[bytes_ - 1]; }

    void read_from(pid_t peer, const Private& source) const {
        iovec here{memory_, bytes_}, there{source.memory_, bytes_};
        need(::process_vm_readv(peer, &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes_), "process_vm_readv");
    }
    void write_to(pid_t peer, const Private& target) const {
        iovec here{memory_, bytes_}, there{target.memory_, bytes_};
        need(::process_vm_writev(peer, &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes_), "process_vm_writev");
    }

private:
    const std::size_t bytes_;
    std::byte* memory_;
};

struct Run {
    std::string design, test;
    std::size_t bytes = 8;
    double milliseconds = 100;

    void print_latency(double seconds) const { print_floor(name(), bytes, seconds * 1e6, "us"); }
    void print_stream(double seconds_each) const {
        if (test == "send_rate")
            print_floor(name(), bytes, 1e-6 / seconds_each, "million/s");
        else
            print_floor(name(), bytes, static_cast<double>(bytes) / seconds_each / 1e9, "GB/s");
    }

private:
    std::string name() const { return "plain_memory " + design + " " + test; }
};

void end(pid_t server) { ::kill(server, SIGKILL); }

// Messages through rings.
void through_rings(const Run& run) {
    const bool copies_out = run.design == "two_copy";
    const std::size_t piece = copies_out ? std::min(run.bytes, kPieceBytes) : run.bytes;
    const bool echoes = run.test.ends_with("_lat");
    const RingSize size = copies_out ? kTwoCopies : echoes ? kOneCopyEcho : kOneCopyStream;
    Ring there(run.bytes, piece, size), back(run.bytes, piece, size);
    Private buffer(std::max(run.bytes, kPage));
    std::byte* const into = copies_out ? buffer.begin() : nullptr;
    const pid_t server = start_server([&] {
        buffer.touch();
        for (;;) {
            there.receive(into);
            back.answered();
            if (echoes) back.send(buffer.begin());
        }
    });
    buffer.touch();
    if (echoes)
        run.print_latency(seconds_of_a_turn(run.milliseconds,
                                            [&] {
                                                there.send(buffer.begin());
                                                back.receive(into);
                                                there.answered();
                                            }) /
                          2);
    else
        run.print_stream(seconds_of_a_turn(run.milliseconds, [&] { there.send(buffer.begin()); }));
    end(server);
}

// Reads and Writes of memory that both map: the other side does nothing.
void through_mapping(const Run& run) {
    std::byte* const shared = shared_memory(std::max(run.bytes, kPage));
    const pid_t server = start_server([&] {
        std::memset(shared, 1, run.bytes);
        ::pause();
    });
    Private own(std::max(run.bytes, kPage));
    own.touch();
    const bool reads = run.test.starts_with("read");
    const double seconds = seconds_of_a_turn(run.milliseconds, [&] {
        std::memcpy(reads ? own.begin() : shared, reads ? shared : own.begin(), run.bytes);
        std::atomic_signal_fence(std::memory_order_seq_cst);  // the compiler leaves no copy out
    });
    if (run.test == "read_lat")
        run.print_latency(seconds);
    else
        run.print_stream(seconds);
    end(server);
}

// The receiver copies, out of the sender's private memory, when a counter tells it to.
void send_through_kernel(const Run& run, Private& here, Private& there) {
    auto* const sent = new (shared_memory(2 * sizeof(Counter))) Counter[2];
    const pid_t client = ::getpid();
    const bool echoes = run.test == "send_lat";
    const pid_t server = start_server([&] {
        here.touch(), there.touch();
        for (std::uint64_t turn = 1;; ++turn) {
            sent[0].wait_for(turn);
            there.read_from(client, here);
            sent[1].value.store(turn, std::memory_order_release);
        }
    });
    here.touch(), there.touch();
    std::uint64_t turn = 0;
    const double seconds = seconds_of_a_turn(run.milliseconds, [&] {
        sent[0].value.store(++turn, std::memory_order_release);
        if (!echoes && turn < kWindow) return;
        sent[1].wait_for(echoes ? turn : turn - kWindow + 1);
        if (echoes) there.read_from(server, here);  // the answer
    });
    if (echoes)
        run.print_latency(seconds / 2);
    else
        run.print_stream(seconds);
    end(server);
}

// Each side writes into the other's memory, which polls its last byte.
void write_through_kernel(const Run& run, Private& here, Private& there) {
    const auto wait_for = [&](std::byte turn) {
        while (std::atomic_ref<std::byte>(there.last()).load(std::memory_order_acquire) != turn) {
        }
    };
    const pid_t client = ::getpid();
    auto* const ready = new (shared_memory(sizeof(Counter))) Counter;
    const pid_t server = start_server([&] {
        here.touch(), there.touch();
        ready->value.store(1, std::memory_order_release);
        for (std::uint8_t turn = 2;; ++turn) {
            wait_for(std::byte{turn});
            here.last() = std::byte{turn};
            here.write_to(client, there);
        }
    });
    here.touch(), there.touch();
    ready->wait_for(1);
    std::uint8_t turn = 1;
    run.print_latency(seconds_of_a_turn(run.milliseconds,
                                        [&] {
                                            here.last() = std::byte{++turn};
                                            here.write_to(server, there);
                                            wait_for(std::byte{turn});
                                        }) /
                      2);
    end(server);
}

// Reads and Writes of a peer that does nothing.
void through_kernel(const Run& run, Private& here, Private& there) {
    auto* const ready = new (shared_memory(sizeof(Counter))) Counter;
    const pid_t server = start_server([&] {
        there.touch();
        ready->value.store(1, std::memory_order_release);
        for (;;) ::pause();
    });
    here.touch();
    ready->wait_for(1);
    const bool reads = run.test.starts_with("read");
    const double seconds = seconds_of_a_turn(run.milliseconds, [&] {
        if (reads)
            here.read_from(server, there);
        else
            here.write_to(server, there);
    });
    if (run.test == "read_lat")
        run.print_latency(seconds);
    else
        run.print_stream(seconds);
    end(server);
}

void copy_by_kernel(const Run& run) {
    Private here(run.bytes), there(run.bytes);
    if (run.test == "send_lat" || run.test == "send_bw" || run.test == "send_rate")
        send_through_kernel(run, here, there);
    else if (run.test == "write_lat")
        write_through_kernel(run, here, there);
    else
        through_kernel(run, here, there);
}

}  // namespace

int main(int count, char** words) {
    if (count < 4) {
        std::fputs("usage: plain_memory one_copy|two_copy|kernel_copy TEST BYTES [MILLISECONDS]\n", stderr);
        return 2;
    }
    Run run{words[1], words[2], std::max(1ul, std::strtoul(words[3], nullptr, 10)), 100};
    if (count > 4) run.milliseconds = std::strtod(words[4], nullptr);
    if (run.design == "kernel_copy")
        copy_by_kernel(run);
    else if (run.design == "one_copy" && (run.test == "write_bw" || run.test.starts_with("read")))
        through_mapping(run);
    else
        through_rings(run);
}
