// SPDX-License-Identifier: MIT
//
// Whether this build runs under the thread sanitizer, which keeps several words for each word of the program, and cannot
// follow a child of fork that starts threads.
#pragma once

namespace opennd::support {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
#else
inline constexpr bool kThreadSanitizer = false;
#endif

}  // namespace opennd::support
