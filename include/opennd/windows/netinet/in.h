/* SPDX-License-Identifier: MIT
 *
 * netinet/in.h: the system's, with Windows' members in its two address structures beside their own:
 * in_addr.S_un.S_addr and S_un.S_un_b beside s_addr, in6_addr.u.Byte and u.Word beside s6_addr. Layout is unchanged.
 *
 * Standing before the system's in the order of folders, it lends that header other words for the members' names: s_addr
 * becomes a union with s_addr as its first member (behind a bit-field without a name, which takes no room and no
 * initialiser), and the bytes of an IPv6 address get Windows' name. s6_addr follows by itself.
 */
#ifndef OPENND_WINDOWS_NETINET_IN_H
#define OPENND_WINDOWS_NETINET_IN_H

#define __in6_u     u
#define __u6_addr8  Byte
#define __u6_addr16 Word

#include <stdint.h>

#define s_addr                      \
    : 0;                            \
    __extension__ union {           \
        in_addr_t s_addr;           \
        union {                     \
            struct {                \
                uint8_t s_b1, s_b2; \
                uint8_t s_b3, s_b4; \
            } S_un_b;               \
            struct {                \
                uint16_t s_w1;      \
                uint16_t s_w2;      \
            } S_un_w;               \
            in_addr_t S_addr;       \
        } S_un;                     \
    }

#pragma GCC system_header
#include_next <netinet/in.h>

#undef s_addr

#endif
