/* SPDX-License-Identifier: MIT
 *
 * io.h: files by descriptors, under the names of Windows' C library. The system's functions: descriptors
 * and failures (errno) are theirs. Text and binary files are one here, as lines end in one character.
 */
#ifndef OPENND_WINDOWS_IO_H
#define OPENND_WINDOWS_IO_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "win32/conventions.h"

/* How to open: the system's values, but for the last four, which are Windows'. */
#define _O_RDONLY     O_RDONLY
#define _O_WRONLY     O_WRONLY
#define _O_RDWR       O_RDWR
#define _O_APPEND     O_APPEND
#define _O_CREAT      O_CREAT
#define _O_TRUNC      O_TRUNC
#define _O_EXCL       O_EXCL
#define _O_TEXT       0x40000000
#define _O_BINARY     0x20000000
#define _O_NOINHERIT  O_CLOEXEC
#define _O_SEQUENTIAL 0

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* With _O_CREAT a third argument, the new file's permissions. The descriptor, or -1 and errno. */
int __cdecl _open(const char* path, int flags, ...);

/* _O_TEXT or _O_BINARY, which make no difference. The mode before, which is _O_BINARY; -1: EBADF: not open; EINVAL:
 * another mode: wide text is written as UTF-8 in every mode. */
int __cdecl _setmode(int descriptor, int mode);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

static __inline int _close(int descriptor) { return close(descriptor); }
static __inline int _read(int descriptor, void* buffer, unsigned bytes) { return (int)read(descriptor, buffer, bytes); }
static __inline int _write(int descriptor, const void* data, unsigned bytes) {
    return (int)write(descriptor, data, bytes);
}
static __inline int _dup(int descriptor) { return dup(descriptor); }
/* 0, or -1: not the descriptor, as dup2 gives. */
static __inline int _dup2(int descriptor, int other) { return dup2(descriptor, other) < 0 ? -1 : 0; }
static __inline int _isatty(int descriptor) { return isatty(descriptor); }
/* 0: it exists, 2: it can be written, 4: read, 6: both. */
static __inline int _access(const char* path, int mode) { return access(path, mode); }
static __inline int _unlink(const char* path) { return unlink(path); }
static __inline int _commit(int descriptor) { return fsync(descriptor); }
static __inline __int64 _lseeki64(int descriptor, __int64 offset, int origin) {
    return lseek(descriptor, offset, origin);
}

#define _fileno(stream)           fileno(stream)
#define _fdopen(descriptor, mode) fdopen((descriptor), (mode))

#endif
