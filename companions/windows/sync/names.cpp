// SPDX-License-Identifier: MIT
// See names.h.
#include "windows/sync/names.h"

#include <cstdio>

#include "opennd.h"
#include "windows/last_error.h"

namespace opennd::windows {

HANDLE refuse_name(const char* function) {
    char line[200];
    std::snprintf(line, sizeof line,
                  "%s: asked for an object with a name; objects are of this process alone; pass NULL for the name, and "
                  "let processes talk by other means",
                  function);
    opennd_log_write(OPENND_LOG_WARN, line);
    return fail(ERROR_NOT_SUPPORTED, HANDLE{});
}

}  // namespace opennd::windows
