/* SPDX-License-Identifier: MIT
 *
 * winioctl.h: how control codes of devices are made up. Network Direct's own headers compute some.
 */
#ifndef OPENND_WINDOWS_WINIOCTL_H
#define OPENND_WINDOWS_WINIOCTL_H

#define CTL_CODE(device, function, method, access) ((device) << 16 | (access) << 14 | (function) << 2 | (method))

#define FILE_DEVICE_NETWORK 0x00000012
#define METHOD_BUFFERED     0
#define METHOD_IN_DIRECT    1
#define METHOD_OUT_DIRECT   2
#define METHOD_NEITHER      3
#define FILE_ANY_ACCESS     0

#endif
