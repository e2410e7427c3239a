// SPDX-License-Identifier: MIT
//
// Two processes of which one has little address space left (ulimit -v): what they share does not fit, the connection takes another wire,
// and says the true reason where the program named the wire. Requirements ND2-GEN-02, ND2-CON-CONN-05.
#include <gtest/gtest.h>
#include <opennd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <thread>
#include <utility>
#include <vector>

#include "process/child.h"
#include "support/adapter.h"
#include "support/overlapped_request.h"
#include "support/requirement.h"
#include "support/sanitizer.h"
#include "support/status.h"

namespace opennd::process {
namespace {

using support::as_sockaddr;
using support::proves;

enum class Poor { connector, listener };

// Room for what a program allocates, and for nothing that two processes share.
void leave_little_address_space() {
    std::ifstream file("/proc/self/statm");
    rlim_t pages = 0;
    file >> pages;
    const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{64} << 20);
    const rlimit limit{most, most};
    setrlimit(RLIMIT_AS, &limit);
}

// One end, with objects for a connection.
class Side {
public:
    Side() {
        support::require(adapter_->CreateOverlappedFile(&file_), ND_SUCCESS, "CreateOverlappedFile");
        support::require(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, 8, 0, 0, queue_.out()),
                         ND_SUCCESS, "CreateCompletionQueue");
        prepare();
    }

    // The connection stays.
    void keep() {
        kept_.emplace_back(std::move(queue_pair_), std::move(connector_));
        prepare();
    }
    // Objects for one attempt.
    void prepare() {
        connector_.reset();
        queue_pair_.reset();
        support::require(adapter_->CreateQueuePair(IID_IND2QueuePair, queue_.get(), queue_.get(), nullptr, 4, 4, 1, 1,
                                                   0, queue_pair_.out()),
                         ND_SUCCESS, "CreateQueuePair");
        support::require(adapter_->CreateConnector(IID_IND2Connector, file_, connector_.out()), ND_SUCCESS,
                         "CreateConnector");
    }

    HRESULT connect(const SocketAddress& to) {
        const SocketAddress own = support::loopback_address();
        support::require(connector_->Bind(as_sockaddr(own), sizeof own), ND_SUCCESS, "Bind");
        support::OverlappedRequest connected, completed;
        const HRESULT status = support::finish(
            connector_->Connect(queue_pair_.get(), as_sockaddr(to), sizeof to, 1, 1, nullptr, 0, connected.get()),
            connected, connector_.get());
        if (status != ND_SUCCESS) return status;
        return support::finish(connector_->CompleteConnect(completed.get()), completed, connector_.get());
    }

    SocketAddress listen() {
        support::require(adapter_->CreateListener(IID_IND2Listener, file_, listener_.out()), ND_SUCCESS,
                         "CreateListener");
        SocketAddress address = support::loopback_address();
        support::require(listener_->Bind(as_sockaddr(address), sizeof address), ND_SUCCESS, "Bind");
        support::require(listener_->Listen(4), ND_SUCCESS, "Listen");
        ULONG bytes = sizeof address;
        support::require(listener_->GetLocalAddress(as_sockaddr(address), &bytes), ND_SUCCESS, "GetLocalAddress");
        return address;
    }
    // A connector that finds no room here asks a second time: the first request is taken back before the program can accept it.
    void accept_until_one_stands() {
        while (accept() != ND_SUCCESS) prepare();
    }

    [[noreturn]] void accept_all() {
        for (;;) accept() == ND_SUCCESS ? keep() : prepare();
    }

private:
    HRESULT accept() {
        support::OverlappedRequest incoming, accepted;
        HRESULT status = support::finish(listener_->GetConnectionRequest(connector_.get(), incoming.get()), incoming,
                                         listener_.get());
        if (status != ND_SUCCESS) return status;
        return support::finish(connector_->Accept(queue_pair_.get(), 1, 1, nullptr, 0, accepted.get()), accepted,
                               connector_.get());
    }

    support::Startup startup_;
    std::vector<std::pair<support::ComPtr<IND2QueuePair>, support::ComPtr<IND2Connector>>> kept_;
    support::ComPtr<IND2Adapter> adapter_ = support::open_loopback_adapter();
    HANDLE file_ = nullptr;
    support::ComPtr<IND2CompletionQueue> queue_;
    support::ComPtr<IND2QueuePair> queue_pair_;
    support::ComPtr<IND2Connector> connector_;
    support::ComPtr<IND2Listener> listener_;
};

// The result of Connect to another process.
HRESULT connect_to_another_process(Poor poor) {
    int addresses[2];
    if (pipe(addresses) != 0) return ND_UNSUCCESSFUL;
    const pid_t child = fork();
    if (child == 0) {
        Side side;
        const SocketAddress address = side.listen();
        if (poor == Poor::listener) leave_little_address_space();
        [[maybe_unused]] const ssize_t told = write(addresses[1], &address, sizeof address);
        side.accept_until_one_stands();
        pause();
    }
    SocketAddress address{};
    Side side;
    HRESULT status = ND_UNSUCCESSFUL;
    if (read(addresses[0], &address, sizeof address) == sizeof address) {
        if (poor == Poor::connector) leave_little_address_space();
        status = side.connect(address);
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return status;
}

// A program that connects once and says how that went.
[[noreturn]] void be_client(int addresses, int results) {
    SocketAddress address{};
    HRESULT status = ND_UNSUCCESSFUL;
    if (read(addresses, &address, sizeof address) == sizeof address) {
        Side side;
        status = side.connect(address);
        [[maybe_unused]] const ssize_t told = write(results, &status, sizeof status);
        pause();
    }
    _exit(1);
}

// How many of `clients` processes get a connection to this one, which has `bytes` of address space.
int connections_of(std::size_t clients, rlim_t bytes) {
    int addresses[2], results[2];
    if (pipe(addresses) != 0 || pipe(results) != 0) return -1;
    std::vector<pid_t> processes;
    for (std::size_t i = 0; i < clients; ++i) {
        processes.push_back(fork());
        if (processes.back() == 0) be_client(addresses[0], results[1]);
    }
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    Side& server = *new Side;  // the thread has it to the end
    const SocketAddress address = server.listen();
    std::thread([&server] { server.accept_all(); }).detach();
    int connected = 0;
    for (std::size_t i = 0; i < clients; ++i) {
        HRESULT status = ND_UNSUCCESSFUL;
        if (write(addresses[1], &address, sizeof address) != sizeof address) break;
        if (read(results[0], &status, sizeof status) != sizeof status) break;
        connected += status == ND_SUCCESS;
    }
    for (const pid_t each : processes) kill(each, SIGKILL);
    for (const pid_t each : processes) waitpid(each, nullptr, 0);
    return connected;
}

class LittleAddressSpace : public testing::Test {
protected:
    LittleAddressSpace() {
        if (support::kThreadSanitizer || support::kAddressSanitizer) unlimited_ = "a sanitizer needs address space";
    }
    const char* unlimited_ = nullptr;
};

class LittleAddressSpaceAt : public LittleAddressSpace, public testing::WithParamInterface<Poor> {};

TEST_P(LittleAddressSpaceAt, HasAConnectionTakeAnotherWire) {
    proves("ND2-GEN-02", "ND2-CON-CONN-05");
    if (unlimited_) GTEST_SKIP() << unlimited_;
    in_child([] { EXPECT_TRUE(support::is(connect_to_another_process(GetParam()), ND_SUCCESS)); });
}

TEST_P(LittleAddressSpaceAt, IsTheReasonWhereTheWireIsNamed) {
    proves("ND2-GEN-02", "ND2-CON-CONN-05");
    if (unlimited_) GTEST_SKIP() << unlimited_;
    in_child([] {
        setenv("OPENND_TRANSPORT", "shm", 1);
        EXPECT_TRUE(
            support::is_one_of(connect_to_another_process(GetParam()), {ND_INSUFFICIENT_RESOURCES, ND_NO_MEMORY}));
    });
}

std::string name_of_poor(const testing::TestParamInfo<Poor>& poor) {
    return poor.param == Poor::connector ? "AtTheConnector" : "AtTheListener";
}

// As `ulimit -v 2000000` leaves it.
TEST_F(LittleAddressSpace, IsEnoughForFourteenProcesses) {
    proves("ND2-GEN-02");
    if (unlimited_) GTEST_SKIP() << unlimited_;
    in_child([] {
        setenv("OPENND_TRANSPORT", "shm", 1);
        EXPECT_EQ(connections_of(14, rlim_t{2'000'000} * 1024), 14);
    });
}

INSTANTIATE_TEST_SUITE_P(, LittleAddressSpaceAt, testing::Values(Poor::connector, Poor::listener), name_of_poor);

}  // namespace
}  // namespace opennd::process
