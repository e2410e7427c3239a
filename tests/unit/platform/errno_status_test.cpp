// SPDX-License-Identifier: MIT
// The table of errno_status.h, one row per Status.
#include "platform/process/errno_status.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <utility>

namespace opennd {
namespace {

TEST(ErrnoStatus, NamesTheReason) {
    constexpr std::pair<int, Status> kRows[] = {
        {EAGAIN, Status::would_block},
        {ETIMEDOUT, Status::timed_out},
        {ECANCELED, Status::canceled},
        {EFAULT, Status::access_violation},
        {EMSGSIZE, Status::message_too_long},
        {EINVAL, Status::invalid_parameter},
        {ENOSYS, Status::not_supported},
        {EPERM, Status::not_supported},
        {EADDRINUSE, Status::address_in_use},
        {EADDRNOTAVAIL, Status::invalid_address},
        {ENETUNREACH, Status::network_unreachable},
        {EHOSTUNREACH, Status::host_unreachable},
        {ECONNREFUSED, Status::connection_refused},
        {ENOENT, Status::connection_refused},
        {ECONNABORTED, Status::connection_aborted},
        {ECONNRESET, Status::disconnected},
        {EPIPE, Status::disconnected},
        {ESRCH, Status::disconnected},
        {ENOTCONN, Status::not_connected},
        {ENOMEM, Status::no_memory},
        {EMFILE, Status::insufficient_resources},
        {ENODEV, Status::device_removed},
    };
    for (const auto& [error, status] : kRows) EXPECT_EQ(status_from_errno(error), status) << "errno " << error;
}

TEST(ErrnoStatus, IsNeverSuccess) {
    for (int error = 0; error < 200; ++error) EXPECT_NE(status_from_errno(error), Status::success) << "errno " << error;
}

TEST(ErrnoStatus, CallsTheUnknownInternal) { EXPECT_EQ(status_from_errno(12345), Status::internal_error); }

}  // namespace
}  // namespace opennd
