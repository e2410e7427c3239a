// SPDX-License-Identifier: MIT
// A process of another user takes the names that a listener's sockets could have.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "platform/process/user.h"
#include "support/requirement.h"
#include "transport/local/listener.h"
#include "unit/transport/connected_pair.h"

namespace opennd::test {
namespace {

constexpr uid_t kAnotherUser = 12345;

Address loopback_address() {
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return *Address::from(reinterpret_cast<const sockaddr*>(&in), sizeof in);
}

class Requests final : public ListenerSink {
    void on_request(Ref<TransportConnector> connector, ConnectionRequest) override { connector->end(Ending::give_up); }
};

// A child of another user that listens under the names until it is ended.
class Squatter {
public:
    explicit Squatter(const std::vector<std::string>& names) {
        int ends[2];
        EXPECT_EQ(::pipe(ends), 0);
        child_ = ::fork();
        if (child_ == 0) squat(names, ends[1]);
        ::close(ends[1]);
        char told = 0;
        has_names = ::read(ends[0], &told, 1) == 1;
        ::close(ends[0]);
    }
    ~Squatter() {
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
    }
    bool has_names = false;

private:
    [[noreturn]] static void squat(const std::vector<std::string>& names, int told) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::setresuid(kAnotherUser, kAnotherUser, kAnotherUser) != 0) ::_exit(1);
        std::vector<opennd::LocalListener> squats;
        for (const std::string& name : names) {
            auto squat = opennd::LocalListener::bind(name);
            if (!squat.ok() || !ok(squat.value().listen(8))) ::_exit(1);
            squats.push_back(squat.take());
        }
        if (::write(told, "x", 1) != 1) ::_exit(1);
        for (;;) ::pause();
    }
    pid_t child_ = -1;
};

TEST(SquattedName, KeepsNoListenerFromItsAddress) {
    support::proves("ND2-LIS-BIND-01");
    if (own_user() != 0) GTEST_SKIP() << "needs to become another user, which root alone may";
    std::vector<std::unique_ptr<soft::Wire>> wires;
    wires.push_back(std::make_unique<shm::ShmWire>());
    wires.push_back(std::make_unique<iwarp::IwarpWire>());
    EventLoop loop;
    MappableMemory memory;
    soft::SoftTransport transport(loop, memory, std::move(wires));
    const auto adapter = transport.open(Interface{}, Face::nd2).take();
    const auto listener = [&] { return adapter->create_listener(make_ref<Requests>()).take(); };
    const auto first = listener();
    const Address address = first->bind(loopback_address()).take();
    first->close();

    const std::string own = local::SocketListener::socket_name("opennd/shm", address);
    const Squatter squatter({own, "opennd/shm/" + address.text(), "opennd/iwarp/" + address.text()});
    ASSERT_TRUE(squatter.has_names);
    const auto second = listener();
    EXPECT_EQ(second->bind(address).status(), Status::success);
    EXPECT_EQ(second->listen(0), Status::success);
    // By name, too: the socket for this user is not that of another.
    EXPECT_NE(own, "opennd/shm/" + address.text());
    const auto third = listener();
    EXPECT_EQ(third->bind(address).status(), Status::address_in_use);
    second->close();

    std::vector<std::unique_ptr<soft::Wire>> one;
    one.push_back(std::make_unique<shm::ShmWire>());
    soft::SoftTransport only(loop, memory, std::move(one));
    const auto alone = only.open(Interface{}, Face::nd2).take()->create_listener(make_ref<Requests>()).take();
    EXPECT_EQ(alone->bind(address).status(), Status::address_in_use) << "no transport reaches it";
}

}  // namespace
}  // namespace opennd::test
