// SPDX-License-Identifier: MIT
// Files by descriptors, as far as Windows' modes have to be kept from the system.
#include <fcntl.h>

#include <cerrno>
#include <cstdarg>

#include "io.h"

int _open(const char* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const auto permissions = (flags & _O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0u;
    va_end(arguments);
    return open(path, flags & ~(_O_TEXT | _O_BINARY), permissions);
}

int _setmode(int descriptor, int mode) {
    if (mode != _O_TEXT && mode != _O_BINARY) {
        errno = EINVAL;
        return -1;
    }
    return fcntl(descriptor, F_GETFD) < 0 ? -1 : _O_BINARY;
}
