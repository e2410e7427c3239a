// SPDX-License-Identifier: MIT
//
// A child of fork begins anew: it holds nothing of its parent's, an adapter that it opens itself works after any use by its
// parent, and its parent goes on. Requirements ND2-GEN-11, ND2-GEN-12.
#include <gtest/gtest.h>
#include <opennd.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "faults/child.h"
#include "faults/conversation.h"
#include "support/adapter.h"
#include "support/deadline.h"
#include "support/overlapped_request.h"
#include "support/requirement.h"
#include "support/sanitizer.h"
#include "support/status.h"

namespace {

bool in_child_amid_work = false;

}  // namespace

// The leak sanitizer asks for it, if it is there. Memory that another thread of the parent used at the fork has no owner in the child.
extern "C" [[gnu::visibility("default")]] int __lsan_is_turned_off() { return in_child_amid_work ? 1 : 0; }

namespace opennd::faults {
namespace {

using support::proves;

// Descriptors of this process that the library may have opened: those that this program began with are not.
std::vector<std::string> descriptors_of_the_library() {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone;
        const std::string file = std::filesystem::read_symlink(entry.path(), gone).string();
        for (const std::string_view kind : {"socket:", "anon_inode:", "/memfd:"})
            if (!gone && file.starts_with(kind)) found.push_back(entry.path().filename().string() + " " + file);
    }
    return found;
}
const std::size_t kFromTheBeginning = descriptors_of_the_library().size();

bool has_none_of_the_librarys() {
    const std::vector<std::string> found = descriptors_of_the_library();
    if (found.size() <= kFromTheBeginning) return true;
    for (const std::string& each : found) std::cerr << "the child has descriptor " << each << '\n';
    return false;
}

// Memory that this process shares with others by the library, but for memory that the program itself has (opennd_memory_allocate).
bool shares_no_memory_of_the_librarys() {
    std::ifstream maps("/proc/self/maps");
    bool none = true;
    for (std::string line; std::getline(maps, line);) {
        if (line.find("/memfd:opennd") == std::string::npos || line.find("opennd-memory") != std::string::npos)
            continue;
        std::cerr << "process " << getpid() << " has " << line << '\n';
        none = false;
    }
    return none;
}

// A child that does nothing until it is let go. Its fork has returned on both sides.
class IdleChild {
public:
    IdleChild() {
        support::require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_) == 0 ? S_OK : E_FAIL, S_OK, "socketpair");
        child_ = fork();
        char told = 0;
        if (child_ != 0) {
            support::require(read(ends_[0], &told, 1) == 1 ? S_OK : E_FAIL, S_OK, "the child's word");
            return;
        }
        close(ends_[0]);
        if (write(ends_[1], &told, 1) == 1)
            while (read(ends_[1], &told, 1) < 0) continue;
        _exit(0);
    }
    ~IdleChild() {
        close(ends_[0]);
        waitpid(child_, nullptr, 0);
        close(ends_[1]);
    }
    IdleChild(const IdleChild&) = delete;
    IdleChild& operator=(const IdleChild&) = delete;

private:
    int ends_[2];
    pid_t child_;
};

// An adapter whose listener has a port.
struct Server {
    explicit Server(std::uint16_t port) : address(support::loopback_address(port)) {
        support::require(adapter->CreateOverlappedFile(&file), ND_SUCCESS, "CreateOverlappedFile");
        support::require(adapter->CreateListener(IID_IND2Listener, file, listener.out()), ND_SUCCESS, "CreateListener");
        bound = listener->Bind(support::as_sockaddr(address), sizeof address);
        if (bound == ND_SUCCESS) support::require(listener->Listen(0), ND_SUCCESS, "Listen");
        ULONG size = sizeof address;
        (void)listener->GetLocalAddress(support::as_sockaddr(address), &size);
    }
    ~Server() { opennd_handle_close(file); }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    std::uint16_t port() const { return ntohs(address.ipv4.sin_port); }

    support::Startup startup;
    SocketAddress address;
    support::ComPtr<IND2Adapter> adapter = support::open_loopback_adapter();
    HANDLE file = nullptr;
    support::ComPtr<IND2Listener> listener;
    HRESULT bound = ND_SUCCESS;
};

class Fork : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (support::kThreadSanitizer) GTEST_SKIP() << "the thread sanitizer follows no child that starts threads";
        support::require(opennd_transport_select(GetParam()), ND_SUCCESS, "opennd_transport_select");
    }
};

TEST_P(Fork, AChildWhoseParentHasReleasedEverythingWorks) {
    proves("ND2-GEN-11");
    ASSERT_TRUE(conversation(Face::nd2)->run());
    EXPECT_TRUE(in_child([] { return conversation(Face::nd2)->run(); }));
    EXPECT_TRUE(conversation(Face::nd2)->run());
}

TEST_P(Fork, AChildHoldsNoDescriptorOfItsParents) {
    proves("ND2-GEN-11");
    ASSERT_TRUE(conversation(Face::nd2)->run());
    const Server server(0);
    EXPECT_TRUE(in_child([] {
        // What the child opens itself is its own, and not its child's.
        return has_none_of_the_librarys() && conversation(Face::nd2)->run() && !descriptors_of_the_library().empty() &&
               in_child([] { return has_none_of_the_librarys(); });
    }));
}

// The child is forked amid a connection, releases what it inherited, has a connection of its own, and ends by exit().
bool exits_well_amid(Conversation& parents, Face face) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        in_child_amid_work = true;
        const bool none = shares_no_memory_of_the_librarys();
        parents.let_go();
        std::exit(conversation(face)->run() && none ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_P(Fork, AChildSharesNoMemoryWithItsParentsPeers) {
    proves("ND2-GEN-11", "ND2-GEN-12");
    for (const Face face : {Face::nd2, Face::nd1, Face::ndk}) {
        const auto parents = conversation(face);
        parents->set_interlude([&] { return exits_well_amid(*parents, face); });
        EXPECT_TRUE(parents->run()) << "face " << static_cast<int>(face);
    }
}

// It has its parent's memory until its program begins, and no step of a fork.
TEST_P(Fork, AProgramThatIsSpawnedAmidAConnectionDisturbsNothing) {
    proves("ND2-GEN-11");
    const auto parents = conversation(Face::nd2);
    parents->set_interlude([] {
        char name[] = "true";
        char* const words[] = {name, nullptr};
        pid_t child = 0;
        int status = 0;
        return posix_spawnp(&child, name, nullptr, nullptr, words, nullptr) == 0 &&
               waitpid(child, &status, 0) == child && status == 0;
    });
    EXPECT_TRUE(parents->run());
}

TEST_P(Fork, AChildThatLivesOnKeepsNoPortOfItsParents) {
    proves("ND2-GEN-11", "ND2-GEN-12");
    std::optional<Server> first(std::in_place, std::uint16_t{0});
    const std::uint16_t port = first->port();
    const IdleChild child;
    first.reset();
    EXPECT_TRUE(support::is_one_of(Server(port).bound, {ND_SUCCESS}));
}

TEST_P(Fork, AChildThatReleasesWhatItInheritedDisturbsNothing) {
    proves("ND2-GEN-11");
    std::optional<Server> inherited(std::in_place, std::uint16_t{0});
    EXPECT_TRUE(in_child([&] {
        inherited.reset();
        return conversation(Face::nd2)->run();
    }));
    const std::uint16_t port = inherited->port();
    EXPECT_TRUE(support::is_one_of(Server(port).bound, {ND_SHARING_VIOLATION})) << "the parent listens";
    EXPECT_TRUE(conversation(Face::nd2)->run());
}

// A thread that stands still where a failure is told, under whichever locks it holds there.
class StandingThread {
public:
    explicit StandingThread(const std::function<void()>& work)
        : thread_([this, work] {
              support::require(opennd_error_sink(&StandingThread::stand, this), ND_SUCCESS, "opennd_error_sink");
              work();
          }) {}
    ~StandingThread() {
        go_on_.set_value();
        thread_.join();
        opennd_error_sink(nullptr, nullptr);
    }
    StandingThread(const StandingThread&) = delete;
    StandingThread& operator=(const StandingThread&) = delete;

    bool stands() { return standing_.get_future().wait_for(std::chrono::seconds(60)) == std::future_status::ready; }

private:
    static void stand(void* context, const opennd_error*) {
        auto& self = *static_cast<StandingThread*>(context);
        if (self.stood_.exchange(true)) return;
        self.standing_.set_value();
        self.go_on_.get_future().wait();
    }

    std::promise<void> standing_, go_on_;
    std::atomic<bool> stood_{false};
    std::thread thread_;
};

// Returns true if the child ends well, and does not wait for anything.
bool ends_in_time(pid_t child) {
    int status = 0;
    const bool ended = support::wait_until([&] { return waitpid(child, &status, WNOHANG) == child; });
    if (!ended && kill(child, SIGKILL) == 0) waitpid(child, &status, 0);
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// A Connect that nobody awaits fails under the locks of its connector.
TEST_P(Fork, AChildReleasesWhatAThreadOfItsParentWasInside) {
    proves("ND2-GEN-11");
    Server client(0);
    const std::uint16_t nobodys = Server(0).port();
    support::ComPtr<IND2Connector> connector;
    support::ComPtr<IND2QueuePair> queue_pair;
    support::ComPtr<IND2CompletionQueue> results;
    IND2Adapter& adapter = *client.adapter.get();
    ASSERT_EQ(adapter.CreateCompletionQueue(IID_IND2CompletionQueue, client.file, 8, 0, 0, results.out()), ND_SUCCESS);
    ASSERT_EQ(adapter.CreateQueuePair(IID_IND2QueuePair, results.get(), results.get(), nullptr, 4, 4, 1, 1, 0,
                                      queue_pair.out()),
              ND_SUCCESS);
    ASSERT_EQ(adapter.CreateConnector(IID_IND2Connector, client.file, connector.out()), ND_SUCCESS);
    const SocketAddress from = support::loopback_address(), to = support::loopback_address(nobodys);
    ASSERT_EQ(connector->Bind(support::as_sockaddr(from), sizeof from), ND_SUCCESS);
    support::OverlappedRequest connect;
    {
        StandingThread thread([&] {
            const HRESULT begun = connector->Connect(queue_pair.get(), support::as_sockaddr(to), sizeof to, 0, 0,
                                                     nullptr, 0, connect.get());
            EXPECT_NE(support::finish(begun, connect, connector.get()), ND_SUCCESS);
        });
        ASSERT_TRUE(thread.stands());
        const pid_t child = fork();
        if (child == 0) {
            queue_pair.reset();
            connector.reset();
            results.reset();
            client.listener.reset();
            client.adapter.reset();
            _exit(0);
        }
        EXPECT_TRUE(ends_in_time(child));
    }
}

TEST_P(Fork, AChildsChildWorks) {
    proves("ND2-GEN-11");
    ASSERT_TRUE(conversation(Face::nd2)->run());
    EXPECT_TRUE(in_child(
        [] { return conversation(Face::nd2)->run() && in_child([] { return conversation(Face::nd2)->run(); }); }));
}

TEST_P(Fork, AChildHasTheTransportsThatItsParentChose) {
    ASSERT_TRUE(conversation(Face::nd2)->run());
    EXPECT_TRUE(in_child([] {
        const SocketAddress address = support::loopback_address(9);
        char name[16] = "", reason[256] = "";
        (void)opennd_transport_explain(support::as_sockaddr(address), sizeof address, name, sizeof name, reason,
                                       sizeof reason);
        // Nobody listens: a transport that asks first says so by its name, the other takes every address.
        return std::string_view(name) == GetParam() ||
               std::string_view(reason).substr(0, std::string_view(GetParam()).size()) == GetParam();
    }));
}

INSTANTIATE_TEST_SUITE_P(, Fork, testing::Values("loopback", "shm", "iwarp"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace opennd::faults
