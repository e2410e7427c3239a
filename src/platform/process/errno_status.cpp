// SPDX-License-Identifier: MIT
// The table that errno_status.h documents.
#include "platform/process/errno_status.h"

#include <cerrno>

namespace opennd {

Status status_from_errno(int error) {
    switch (error) {
        case EAGAIN:
        case EINPROGRESS: return Status::would_block;
        case ETIMEDOUT: return Status::timed_out;
        case ECANCELED: return Status::canceled;
        case EFAULT:
        case EACCES: return Status::access_violation;
        case EMSGSIZE: return Status::message_too_long;
        case EINVAL:
        case EBADF:
        case ENAMETOOLONG:
        case EDOM: return Status::invalid_parameter;
        case ENOSYS:
        case EPERM:
        case EOPNOTSUPP:
        case EAFNOSUPPORT:
        case EPROTONOSUPPORT: return Status::not_supported;
        case EADDRINUSE: return Status::address_in_use;
        case EADDRNOTAVAIL: return Status::invalid_address;
        case ENETUNREACH:
        case ENETDOWN: return Status::network_unreachable;
        case EHOSTUNREACH:
        case EHOSTDOWN: return Status::host_unreachable;
        case ECONNREFUSED:
        case ENOENT: return Status::connection_refused;
        case ECONNABORTED: return Status::connection_aborted;
        case ECONNRESET:
        case EPIPE:
        case ESHUTDOWN:
        case ESRCH: return Status::disconnected;
        case ENOTCONN: return Status::not_connected;
        case ENOMEM:
        case ENOBUFS: return Status::no_memory;
        case EMFILE:
        case ENFILE:
        case ENOSPC:
        case ETOOMANYREFS: return Status::insufficient_resources;
        case ENODEV:
        case ENXIO: return Status::device_removed;
        default: return Status::internal_error;
    }
}

Status resource_status(int error) {
    return error == ENOMEM || error == ENOBUFS ? Status::no_memory : Status::insufficient_resources;
}

}  // namespace opennd
