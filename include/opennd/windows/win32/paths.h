/* SPDX-License-Identifier: MIT
 *
 * paths.h: a path in its parts, as Windows' C library has it: a letter and a colon, folders with the last
 * slash of either kind, a name, and from the last dot on the rest.
 */
#ifndef OPENND_WINDOWS_PATHS_H
#define OPENND_WINDOWS_PATHS_H

#include "text.h"

#define _MAX_DRIVE 3
#define _MAX_DIR   256
#define _MAX_FNAME 256
#define _MAX_EXT   256

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A part that is not wanted is NULL. The others have the room that the names above give in characters; longer parts
 * are cut. */
void __cdecl _splitpath(const char* path, char* drive, char* folder, char* name, char* extension);
void __cdecl _wsplitpath(const wchar_t* path, wchar_t* drive, wchar_t* folder, wchar_t* name, wchar_t* extension);

/* Each part with its room, 0 if it is NULL. 0; EINVAL: no path, or a part without room or room without a part; ERANGE: a part does
 * not fit. Both leave every part empty. */
errno_t __cdecl _splitpath_s(const char* path, char* drive, size_t drive_size, char* folder, size_t folder_size,
                             char* name, size_t name_size, char* extension, size_t extension_size);
errno_t __cdecl _wsplitpath_s(const wchar_t* path, wchar_t* drive, size_t drive_size, wchar_t* folder,
                              size_t folder_size, wchar_t* name, size_t name_size, wchar_t* extension,
                              size_t extension_size);

#pragma GCC visibility pop
#ifdef __cplusplus
}

/* The forms that know the size of an array. */
template <size_t Drive, size_t Folder, size_t Name, size_t Extension>
errno_t _splitpath_s(const char* path, char (&drive)[Drive], char (&folder)[Folder], char (&name)[Name],
                     char (&extension)[Extension]) {
    return _splitpath_s(path, drive, Drive, folder, Folder, name, Name, extension, Extension);
}
template <size_t Drive, size_t Folder, size_t Name, size_t Extension>
errno_t _wsplitpath_s(const wchar_t* path, wchar_t (&drive)[Drive], wchar_t (&folder)[Folder], wchar_t (&name)[Name],
                      wchar_t (&extension)[Extension]) {
    return _wsplitpath_s(path, drive, Drive, folder, Folder, name, Name, extension, Extension);
}
#endif

#endif
