// SPDX-License-Identifier: MIT
//
// The life of a connection in the log, at the level `info`: it is up, it ends, it fails.
#include <opennd.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "conformance/vocabulary/fixture.h"
#include "support/deadline.h"
#include "support/transports.h"

namespace opennd::conformance {
namespace {

// The lines of the log since it was made.
class Lines {
public:
    explicit Lines(opennd_log_level level) { opennd_log_sink(&Lines::add, this, level); }
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;
    ~Lines() { opennd_log_sink(nullptr, nullptr, OPENND_LOG_ERROR); }

    // Those about connections that have all parts in them.
    std::size_t count(const std::vector<std::string>& parts) const {
        const std::lock_guard lock(mutex_);
        return static_cast<std::size_t>(std::ranges::count_if(lines_, [&](const std::string& line) {
            return line.starts_with("connection ") && std::ranges::all_of(parts, [&](const std::string& part) {
                       return line.find(part) != std::string::npos;
                   });
        }));
    }
    bool come(const std::vector<std::string>& parts, std::size_t wanted = 1) const {
        return wait_until([&] { return count(parts) >= wanted; });
    }
    std::string all() const {
        const std::lock_guard lock(mutex_);
        std::string text;
        for (const std::string& line : lines_) text += line + "\n";
        return text;
    }

private:
    static void add(void* context, opennd_log_level, const char* message) {
        Lines& self = *static_cast<Lines*>(context);
        const std::lock_guard lock(self.mutex_);
        self.lines_.emplace_back(message);
    }

    mutable std::mutex mutex_;
    std::vector<std::string> lines_;
};

std::string port_of(const SocketAddress& address) { return ":" + std::to_string(ntohs(address.ipv4.sin_port)); }

class ConnectionLog : public ConformanceTest {
protected:
    std::string wire() const { return std::string("over ") + support::wire_within_a_process(GetParam().transport); }
};

TEST_P(ConnectionLog, TellsBothSidesThatAConnectionIsUp) {
    const Lines lines(OPENND_LOG_INFO);
    const ConnectedPair pair(driver());
    const std::string listener = port_of(pair.handshake->address);
    EXPECT_TRUE(lines.come({listener + ": up: this side connected", wire()})) << lines.all();
    EXPECT_TRUE(lines.come({listener + " - ", "up: this side accepted", wire()})) << lines.all();
}

TEST_P(ConnectionLog, TellsOfAnEndAndItsSide) {
    const Lines lines(OPENND_LOG_INFO);
    ConnectedPair pair(driver());
    const std::string listener = port_of(pair.handshake->address);
    const Operation lost = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.a.connector->disconnect().begun(), Outcome::pending);
    (void)lost.wait();
    (void)pair.b.connector->disconnect().wait();
    EXPECT_TRUE(lines.come({listener + ": ended by this side: Disconnect"})) << lines.all();
    EXPECT_TRUE(lines.come({listener + " - ", "ended by"})) << lines.all();
}

TEST_P(ConnectionLog, TellsOfAConnectThatIsRefused) {
    const Lines lines(OPENND_LOG_INFO);
    Handshake handshake(driver());
    handshake.requested();
    ASSERT_EQ(handshake.passive.connector->reject({}), Outcome::success);
    ASSERT_EQ(handshake.connect->wait(), Outcome::connection_refused);
    EXPECT_TRUE(lines.come({port_of(handshake.address), "Connect failed: connection_refused"})) << lines.all();
    EXPECT_TRUE(lines.come({"given up by this side before it was up: Reject"})) << lines.all();
}

TEST_P(ConnectionLog, SaysNothingAboveItsLevel) {
    const Lines lines(OPENND_LOG_WARN);
    ConnectedPair pair(driver());
    (void)pair.a.connector->disconnect().begun();
    EXPECT_EQ(lines.count({}), 0u) << lines.all();
}

INSTANTIATE_TEST_SUITE_P(, ConnectionLog, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
