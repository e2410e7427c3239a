// SPDX-License-Identifier: MIT
// Whether memory of this process can be had. From Linux 6.11 on the kernel tells each area of the range. Otherwise (an older kernel, no /proc
// in a sandbox) each page of the range is read: the cost follows the range, and never the other memory of the process
// (docs/decisions/0075).
#pragma once

#include <cstddef>

#include "base/status.h"

namespace opennd {

// Every page of the range is mapped readable, and writable if asked. No memory is taken: pages that nobody has written stay zeros that
// all share. The answer is a snapshot: another thread may unmap at once. Any thread.
//   access_violation  some page is not, or the range wraps around; not logged (the caller knows the object)
//   no_memory         for the tables of pages
// Where pages are read, more than kMostRead bytes are looked at from both ends, and the right to write is tried on the first and the
// last page. Holes are found in every case.
Status check_mapped(const void* address, std::size_t bytes, bool writable);
inline constexpr std::size_t kMostRead = std::size_t{64} << 20;

// The same for memory that is to be registered: a NIC holds its pages, and refuses memory without them. Shared mappings of files get their pages
// now; all other memory gets them as it is touched.
//   access_violation  as above; or a page cannot be had: the file is shorter, or has no room (a full /dev/shm); or the kernel keeps it
//                     from others (memfd_secret, memory of devices)
//   no_memory
Status obtain_memory(const void* address, std::size_t bytes, bool writable);

}  // namespace opennd
