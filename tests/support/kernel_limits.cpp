// SPDX-License-Identifier: MIT
//
// See kernel_limits.h.
#include "support/kernel_limits.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <future>
#include <system_error>
#include <thread>

namespace opennd::support {
namespace {

// A mapping of this process alone, or of memory that others could share.
class Mapping {
public:
    Mapping(std::size_t bytes, int protection, int sharing)
        : bytes_(bytes), data_(mmap(nullptr, bytes, protection, sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
        if (data_ == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping() { (void)munmap(data_, bytes_); }

    void* data() const { return data_; }

private:
    std::size_t bytes_;
    void* data_;
};

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::size_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::size_t all = 0, resident = 0;
    file >> all >> resident;
    return resident * page_size();
}

// What a child of fork exits with; -1: it did not.
int exit_of_child(int (*work)()) {
    const pid_t child = fork();
    if (child == 0) {
        constexpr unsigned kSeconds = 10;
        alarm(kSeconds);
        _exit(work());
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::string keeps_removed_pages() {
    const Mapping page(page_size(), PROT_READ | PROT_WRITE, MAP_SHARED);
    auto& octet = *static_cast<volatile unsigned char*>(page.data());
    octet = 1;
    // Memory that refuses it is zeroed by its owner: only one that says yes and keeps the page is in a test's way.
    if (madvise(page.data(), page_size(), MADV_REMOVE) != 0 || octet == 0) return "";
    return "the kernel keeps pages after MADV_REMOVE";
}

std::string copies_between_no_processes() {
    int from = 0, to = 0;
    const iovec local{&to, sizeof to}, remote{&from, sizeof from};
    if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) >= 0 &&
        process_vm_writev(getpid(), &local, 1, &remote, 1, 0) >= 0)
        return "";
    return std::string("process_vm_readv or process_vm_writev: ") + std::strerror(errno);
}

std::string receives_only_with_room() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::system_error(errno, std::generic_category(), "socketpair");
    (void)send(ends[0], "packet", 6, 0);
    msghdr without_room{};
    (void)recvmsg(ends[1], &without_room, MSG_DONTWAIT);
    char octet = 0;
    const bool is_still_there = recv(ends[1], &octet, 1, MSG_DONTWAIT) > 0;
    for (const int end : ends) (void)close(end);
    return is_still_there ? "the kernel takes no packet from a socket without room for it" : "";
}

std::string charges_for_addresses() {
    constexpr std::size_t kAddresses = std::size_t{1} << 30;
    const std::size_t before = resident_bytes();
    const Mapping mapping(kAddresses, PROT_READ, MAP_PRIVATE);
    if (resident_bytes() < before + kAddresses / 1024) return "";
    return "the kernel takes memory for addresses that nobody has touched";
}

std::string starts_no_threads_behind_fork() {
    std::promise<void> end;
    std::thread other([&] { end.get_future().wait(); });
    const int exit = exit_of_child([] {
        std::thread([] {}).join();
        return 0;
    });
    end.set_value();
    other.join();
    return exit == 0 ? "" : "a child of fork can start no threads";
}

std::string starts_no_program() {
    const int exit = exit_of_child([] {
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        for (const int output : {STDOUT_FILENO, STDERR_FILENO}) (void)dup2(nowhere, output);
        (void)execl("/proc/self/exe", "test", "--gtest_list_tests", nullptr);
        return errno;
    });
    return exit == 0 ? "" : std::string("a program cannot start itself again: ") + std::strerror(exit);
}

}  // namespace opennd::support
