// SPDX-License-Identifier: MIT
//
// Under which sanitizer this build runs. The thread sanitizer keeps several words for each word of the program, and cannot
// follow a child of fork that starts threads. The address sanitizer's allocator has locks that a child of fork inherits as
// they are: held for ever, if a thread of the parent was inside.
#pragma once

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

namespace opennd::support {

#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

}  // namespace opennd::support
