// SPDX-License-Identifier: MIT
// Processes that connect to a listener's socket and hang up, without end: the service thread serves others meanwhile.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "platform/descriptor/local_socket.h"
#include "support/deadline.h"
#include "transport/local/listener.h"
#include "unit/transport/connected_pair.h"

namespace opennd::test {
namespace {

constexpr uid_t kFloodUser = 12345;

// Processes that connect and hang up until they are ended: of another user where this one may become one.
class Flood {
public:
    explicit Flood(const std::string& name) {
        int told[2];
        EXPECT_EQ(::pipe(told), 0);
        for (pid_t& each : children_) {
            each = ::fork();
            if (each == 0) connect_for_ever(name, told[1]);
        }
        ::close(told[1]);
        for (std::size_t begun = 0; begun < children_.size(); ++begun) {
            char word = 0;
            EXPECT_EQ(::read(told[0], &word, 1), 1);
        }
        ::close(told[0]);
    }
    ~Flood() {
        for (const pid_t each : children_) {
            ::kill(each, SIGKILL);
            ::waitpid(each, nullptr, 0);
        }
    }

private:
    [[noreturn]] static void connect_for_ever(const std::string& name, int told) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::geteuid() == 0 && ::setresuid(kFloodUser, kFloodUser, kFloodUser) != 0) ::_exit(1);
        if (::write(told, "x", 1) != 1) ::_exit(1);
        for (;;) (void)LocalSocket::connect(name);
    }

    std::vector<pid_t> children_ = std::vector<pid_t>(6);
};

// Whether functions that are posted one after the other run.
bool serves_posts(EventLoop& loop) {
    for (int i = 0; i < 20; ++i) {
        const auto served = std::make_shared<std::promise<void>>();  // it may run after the deadline
        loop.post([served] { served->set_value(); });
        if (served->get_future().wait_for(support::kDeadline) != std::future_status::ready) return false;
    }
    return true;
}

class RefusedRequests final : public ListenerSink {
    void on_request(Ref<TransportConnector> connector, ConnectionRequest) override { connector->end(Ending::give_up); }
};

TEST(FloodedListener, HoldsUpNobodyElse) {
    EventLoop loop;
    MappableMemory memory;
    std::vector<std::unique_ptr<soft::Wire>> wires;
    wires.push_back(std::make_unique<shm::ShmWire>());
    soft::SoftTransport transport(loop, memory, std::move(wires));
    auto adapter = transport.open(Interface{}, Face::nd2).take();
    const auto listener = adapter->create_listener(make_ref<RefusedRequests>()).take();
    Address address;
    for (std::uint16_t port = 41017;; ++port) {  // other processes may be at the others
        address = test::loopback_address(port);
        if (listener->bind(address).ok()) break;
    }
    ASSERT_EQ(listener->listen(8), Status::success);
    {
        const Flood flood(local::SocketListener::socket_name("opennd/shm", address));
        EXPECT_TRUE(serves_posts(loop));
    }
    listener->close();
}

}  // namespace
}  // namespace opennd::test
