// SPDX-License-Identifier: MIT
// From errno to Status, for system calls with the same meaning for every caller. No errno leaves platform/.
#pragma once

#include "base/status.h"

namespace opennd {

// The reason behind a failed system call. Callers that know better (connect: EAGAIN is a full backlog) map those
// numbers themselves first. Never success: 0 and numbers without a meaning here give internal_error.
//   would_block             EAGAIN, EINPROGRESS
//   timed_out               ETIMEDOUT
//   canceled                ECANCELED
//   access_violation        EFAULT, EACCES
//   message_too_long        EMSGSIZE
//   invalid_parameter       EINVAL, EBADF, ENAMETOOLONG, EDOM
//   not_supported           ENOSYS, EPERM, EOPNOTSUPP, EAFNOSUPPORT, EPROTONOSUPPORT
//   address_in_use          EADDRINUSE
//   invalid_address         EADDRNOTAVAIL
//   network_unreachable     ENETUNREACH, ENETDOWN
//   host_unreachable        EHOSTUNREACH, EHOSTDOWN
//   connection_refused      ECONNREFUSED, ENOENT
//   connection_aborted      ECONNABORTED
//   disconnected            ECONNRESET, EPIPE, ESHUTDOWN, ESRCH
//   not_connected           ENOTCONN
//   no_memory               ENOMEM, ENOBUFS
//   insufficient_resources  EMFILE, ENFILE, ENOSPC, ETOOMANYREFS
//   device_removed          ENODEV, ENXIO
Status status_from_errno(int error);

// For a failed creation of a descriptor, memory or a thread. A limit, a sandbox and an old kernel all give the same
// Status; the explanation says which of them it was.
//   no_memory               ENOMEM, ENOBUFS
//   insufficient_resources  all others
Status resource_status(int error);

}  // namespace opennd
