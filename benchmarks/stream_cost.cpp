// SPDX-License-Identifier: MIT
//
// What a byte costs of processor time, over whatever OPENND_TRANSPORT says, beside plain TCP sockets: both ends in this one
// thread, rounds in turns. Processor time stands still while others run, so that this tells designs apart where a clock
// cannot. Read calls.cpp first. Usage: stream_cost [ROUNDS]
#include "connected_sides.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

using namespace nd;
using benchmark::need;

constexpr std::size_t kLargest = 1 << 20;
constexpr double kRoundSeconds = 0.04;
constexpr int kBatch = 16;
constexpr int kWarmUp = 50;  // until the service thread leaves the work to this one

double processor_seconds() {
    timespec time;
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// The floor: the same bytes through a socket, in as few calls as it allows.
class PlainSockets {
public:
    PlainSockets() : from_(kLargest), to_(kLargest) {
        const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
        SocketAddress address = SocketAddress::parse("127.0.0.1");
        socklen_t bytes = address.length();
        ::bind(listener, address.data(), bytes);
        ::listen(listener, 1);
        ::getsockname(listener, address.data(), &bytes);
        out_ = ::socket(AF_INET, SOCK_STREAM, 0);
        if (::connect(out_, address.data(), bytes) != 0) std::exit(2);
        in_ = ::accept(listener, nullptr, nullptr);
        ::close(listener);
        const int yes = 1;
        for (const int each : {in_, out_}) {
            ::setsockopt(each, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            ::fcntl(each, F_SETFL, O_NONBLOCK);
        }
    }
    ~PlainSockets() {
        ::close(in_);
        ::close(out_);
    }
    PlainSockets(const PlainSockets&) = delete;
    PlainSockets& operator=(const PlainSockets&) = delete;

    void move(std::size_t bytes) {
        for (std::size_t sent = 0, received = 0; received < bytes;) {
            if (sent < bytes) sent += taken(::send(out_, &from_[sent], bytes - sent, MSG_NOSIGNAL));
            received += taken(::recv(in_, &to_[received], bytes - received, 0));
        }
    }

private:
    static std::size_t taken(ssize_t bytes) { return bytes > 0 ? static_cast<std::size_t>(bytes) : 0; }

    int out_ = -1, in_ = -1;
    std::vector<char> from_, to_;
};

class Stream {
public:
    void send(std::size_t bytes) {
        post_receive(bytes);
        post_send(bytes);
        take(1, 1);
    }
    void send_batch(std::size_t bytes) {
        for (int i = 0; i < kBatch; ++i) post_receive(bytes);
        for (int i = 0; i < kBatch; ++i) post_send(bytes);
        take(kBatch, kBatch);
    }
    void write(std::size_t bytes) {
        const ND2_SGE part = part_of(here_, bytes);
        need(from_->Write(nullptr, &part, 1, peer_.address, peer_.token, 0), "Write");
        take(1, 0);
    }
    void read(std::size_t bytes) {
        const ND2_SGE part = part_of(here_, bytes);
        need(from_->Read(nullptr, &part, 1, peer_.address, peer_.token, 0), "Read");
        take(1, 0);
    }

private:
    static ND2_SGE part_of(const ND2_SGE& whole, std::size_t bytes) {
        return {whole.Buffer, static_cast<ULONG>(bytes), whole.MemoryRegionToken};
    }
    void post_receive(std::size_t bytes) {
        const ND2_SGE part = part_of(there_, bytes);
        need(to_->Receive(nullptr, &part, 1), "Receive");
    }
    void post_send(std::size_t bytes) {
        const ND2_SGE part = part_of(here_, bytes);
        need(from_->Send(nullptr, &part, 1, 0), "Send");
    }
    void take(int of_active, int of_passive) {
        while (of_active > 0 || of_passive > 0) {
            of_passive -= poll(sides_.passive.results.nd2());
            of_active -= poll(sides_.active.results.nd2());
        }
    }
    static int poll(IND2CompletionQueue* queue) {
        ND2_RESULT results[kBatch];
        const ULONG count = queue->GetResults(results, kBatch);
        for (ULONG i = 0; i < count; ++i) need(results[i].Status, "a result");
        return static_cast<int>(count);
    }

    benchmark::ConnectedSides sides_{Api::nd2, kLargest, MemoryKind::ordinary, 2 * kBatch};
    IND2QueuePair *const from_ = sides_.active.queue_pair.nd2(), *const to_ = sides_.passive.queue_pair.nd2();
    const ND2_SGE here_ = sides_.active.memory.part(0, kLargest).nd2,
                  there_ = sides_.passive.memory.part(0, kLargest).nd2;
    const RemoteTarget peer_ = sides_.active.peer;
};

struct Case {
    const char* name;
    void (Stream::*run)(std::size_t);
    int messages;
    std::vector<double> us, floor_us;  // of one message, in each round
};

template <typename Run>
double each_us(Run run) {
    for (int i = 0; i < kWarmUp; ++i) run();
    const double begin = processor_seconds();
    double end = begin;
    long count = 0;
    do {
        for (int i = 0; i < 8; ++i, ++count) run();
        end = processor_seconds();
    } while (end - begin < kRoundSeconds);
    return (end - begin) * 1e6 / static_cast<double>(count);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void print_size(std::size_t bytes, int rounds, Stream& stream, PlainSockets& sockets) {
    Case cases[] = {{"send", &Stream::send, 1, {}, {}},
                    {"send, 16 at once", &Stream::send_batch, kBatch, {}, {}},
                    {"write", &Stream::write, 1, {}, {}},
                    {"read", &Stream::read, 1, {}, {}}};
    for (int round = 0; round < rounds; ++round)
        for (Case& each : cases) {
            each.floor_us.push_back(each_us([&] { sockets.move(bytes); }));
            each.us.push_back(each_us([&] { (stream.*each.run)(bytes); }) / each.messages);
        }
    for (const Case& each : cases) {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < each.us.size(); ++i) ratios.push_back(each.us[i] / each.floor_us[i]);
        std::printf("%8zu  %-18s %9.2f us  %6.2f GB/s  %5.2f x plain sockets\n", bytes, each.name, median(each.us),
                    static_cast<double>(bytes) / median(each.us) / 1e3, median(ratios));
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 9;
    Stream stream;
    PlainSockets sockets;
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{4096}, std::size_t{65536}, kLargest})
        print_size(bytes, rounds, stream, sockets);
}
