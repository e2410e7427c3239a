// SPDX-License-Identifier: MIT
// The functions of opennd.h that name a version and a status.
#include "opennd.h"

#include "base/status_names.h"
#include "library/version.h"

using namespace opennd;

const char* opennd_status_name(HRESULT status) { return status_name(status); }

const char* opennd_version(void) { return kVersion; }
