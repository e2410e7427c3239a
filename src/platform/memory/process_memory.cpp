// SPDX-License-Identifier: MIT
// process_vm_readv and process_vm_writev over lists of any length; see process_memory.h.
#include "platform/memory/process_memory.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "platform/process/errno_status.h"

namespace opennd {
namespace {

// How many list entries one system call gets: no more than IOV_MAX, and little stack.
constexpr std::size_t kWindow = 128;
using Window = std::array<iovec, kWindow>;

std::size_t total_bytes(std::span<const iovec> list) {
    std::size_t total = 0;
    for (const iovec& entry : list) total += entry.iov_len;
    return total;
}

// The rest of a list.
class Cursor {
public:
    explicit Cursor(std::span<const iovec> list) : list_(list) {}

    // Copies the next entries to `window`; how many.
    std::size_t fill(Window& window) const {
        const std::size_t count = std::min(list_.size(), kWindow);
        std::copy_n(list_.begin(), count, window.begin());
        if (count > 0) {
            window[0].iov_base = static_cast<std::byte*>(window[0].iov_base) + done_;
            window[0].iov_len -= done_;
        }
        return count;
    }

    void advance(std::size_t bytes) {
        done_ += bytes;
        while (!list_.empty() && done_ >= list_.front().iov_len) {
            done_ -= list_.front().iov_len;
            list_ = list_.subspan(1);
        }
    }

private:
    std::span<const iovec> list_;
    std::size_t done_ = 0;  // bytes of the first entry
};

Status status_of_failure(int error) { return error == EACCES ? Status::not_supported : status_from_errno(error); }

using Call = ssize_t (*)(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long);

Status transfer(Call call, pid_t pid, std::span<const iovec> local, std::span<const iovec> remote) {
    std::size_t left = total_bytes(local);
    if (left != total_bytes(remote)) return Status::invalid_parameter;
    Cursor here(local);
    Cursor there(remote);
    while (left > 0) {
        Window local_window;
        Window remote_window;
        const std::size_t local_count = here.fill(local_window);
        const std::size_t remote_count = there.fill(remote_window);
        const ssize_t moved = call(pid, local_window.data(), local_count, remote_window.data(), remote_count, 0);
        if (moved < 0) return status_of_failure(errno);
        // A short transfer is repeated from where it stopped: the next error names the reason, unless the windows had
        // only empty entries.
        const std::size_t possible = std::min(total_bytes(std::span(local_window).first(local_count)),
                                              total_bytes(std::span(remote_window).first(remote_count)));
        if (moved == 0 && possible > 0) return Status::access_violation;
        here.advance(static_cast<std::size_t>(moved));
        there.advance(static_cast<std::size_t>(moved));
        left -= static_cast<std::size_t>(moved);
    }
    return Status::success;
}

}  // namespace

Status read_process_memory(pid_t pid, std::span<const iovec> local, std::span<const iovec> remote) {
    return transfer(::process_vm_readv, pid, local, remote);
}

Status write_process_memory(pid_t pid, std::span<const iovec> local, std::span<const iovec> remote) {
    return transfer(::process_vm_writev, pid, local, remote);
}

pid_t own_process() { return ::getpid(); }

}  // namespace opennd
