// SPDX-License-Identifier: MIT
// Whether another process's user, as the kernel reports it, is this process's own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string_view>

namespace opennd {

enum class UserMatch : std::uint8_t {
    own,
    another,
    unknown,  // reads as the own user, and so does every user that has no number in this user namespace
};

// The effective user. Any thread.
uid_t own_user();

// `uid` against this process's effective user. Any thread.
UserMatch match_own_user(uid_t uid);

// The rule: `own` is the effective user, `overflow` the number that stands for users without one, `map` the text of
// uid_map
// (empty: not known).
UserMatch match_user(uid_t uid, uid_t own, uid_t overflow, std::string_view map);

}  // namespace opennd
