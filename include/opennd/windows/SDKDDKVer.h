/* SPDX-License-Identifier: MIT
 *
 * SDKDDKVer.h: which Windows a program is written for. Programs test it to choose functions; those here are of Windows 8
 * and later.
 */
#ifndef OPENND_WINDOWS_SDKDDKVER_H
#define OPENND_WINDOWS_SDKDDKVER_H

#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0602
#endif
#ifndef WINVER
#define WINVER _WIN32_WINNT
#endif

#endif
