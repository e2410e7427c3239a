// SPDX-License-Identifier: MIT
//
// A caller that comes back with one bad request after the other, over TCP and over the local socket: the log stays
// short, and reports how many lines it left out.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <string>

#include <opennd.h>

#include "hostile/hostile_test.h"

namespace opennd::hostile {
namespace {

// The log's lines while it exists, at a level where each refusal has its line.
class CountedLog {
public:
    CountedLog() { EXPECT_EQ(opennd_log_sink(take, this, OPENND_LOG_INFO), ND_SUCCESS); }
    ~CountedLog() { EXPECT_EQ(opennd_log_sink(nullptr, nullptr, OPENND_LOG_ERROR), ND_SUCCESS); }

    // That it came with a count of those before it that were not taken.
    bool counts_left_out() {
        const std::lock_guard lock(mutex_);
        return counts_;
    }
    // 20 lines of each of the two kinds at once; then one a second, and with it the count.
    void expect_short() {
        const std::lock_guard lock(mutex_);
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begun_).count() + 1;
        EXPECT_LE(lines_, 2 * (20 + 2 * seconds)) << "in " << seconds << " s";
        EXPECT_LE(bytes_, lines_ * 600);
        EXPECT_TRUE(counts_) << "no line says how many were left out";
    }

private:
    using Clock = std::chrono::steady_clock;

    static void take(void* context, opennd_log_level, const char* line) {
        auto& log = *static_cast<CountedLog*>(context);
        const std::lock_guard lock(log.mutex_);
        ++log.lines_;
        log.bytes_ += static_cast<long>(std::strlen(line));
        log.counts_ = log.counts_ || std::strstr(line, "were left out") != nullptr;
    }

    const Clock::time_point begun_ = Clock::now();
    std::mutex mutex_;
    long lines_ = 0, bytes_ = 0;
    bool counts_ = false;
};

// Comes `at_least` times, and on until the log has counted.
template <typename Come>
void flood(CountedLog& log, int at_least, Come&& come) {
    for (int i = 0; i < at_least; ++i) {
        come();
        if (testing::Test::HasFailure()) return;
    }
    const auto deadline = std::chrono::steady_clock::now() + support::kDeadline;
    while (!log.counts_left_out()) {
        ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "the log never counted what it left out";
        come();
        if (testing::Test::HasFailure()) return;
    }
}

class Flood : public Hostile {};

TEST_F(Flood, OfWhatIsNoRequestLeavesTheLogShort) {
    proves("IW-SEC-19");
    const std::uint16_t there = port();
    CountedLog log;
    flood(log, 2000, [there] {
        RawPeer peer = RawPeer::connected_to(there);
        peer.say({'X'});
        EXPECT_EQ(peer.stream_end(), StreamEnd::reset);
    });
    log.expect_short();
}

// Each guess costs its connection, and the peer has the next one at once.
TEST_F(Flood, OfGuessedTokensLeavesTheLogShort) {
    proves("IW-SEC-19");
    CountedLog log;
    flood(log, 200, [this] {
        OpenStream stream(driver());
        const Operation lost = stream.side.connector->notify_disconnect();
        stream.peer.say(fpdu(tagged(0, 0xdeadbeef, 0, {1})));
        EXPECT_EQ(lost.wait(), Outcome::success);
    });
    log.expect_short();
}

// A neighbour of the same user, by the listener's name alone.
class LocalFlood : public testing::Test {
protected:
    LocalFlood() : name_(1, '\0') {
        const std::uint16_t port = ntohs(conformance::address_of(*listener_).ipv4.sin_port);
        name_ += "opennd/shm/" + std::to_string(::geteuid()) + "/127.0.0.1:" + std::to_string(port);
    }

    // Says it, and waits until it is hung up on.
    void say(const std::string& packet) {
        sockaddr_un there{};
        there.sun_family = AF_UNIX;
        std::memcpy(there.sun_path, name_.data(), name_.size());
        const int socket = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name_.size());
        ASSERT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&there), bytes), 0) << std::strerror(errno);
        ASSERT_EQ(::send(socket, packet.data(), packet.size(), MSG_NOSIGNAL), static_cast<ssize_t>(packet.size()));
        char answer[4096];
        while (::recv(socket, answer, sizeof answer, 0) > 0) {
        }
        ::close(socket);
    }

private:
    conformance::PinnedTransport transport_{"shm"};
    std::unique_ptr<conformance::Driver> driver_ = conformance::nd2::open_driver();
    Endpoint side_{*driver_, {}};
    std::unique_ptr<conformance::Listener> listener_ = conformance::listening(*side_.adapter);
    std::string name_;
};

TEST_F(LocalFlood, OfWhatIsNoRequestLeavesTheLogShort) {
    CountedLog log;
    flood(log, 2000, [this] { say("no request"); });
    log.expect_short();
}

}  // namespace
}  // namespace opennd::hostile
