// SPDX-License-Identifier: MIT
// The storage of every interface and class identifier, for programs that do not define INITGUID (spec nd2 section 6.1).
#define INITGUID

#include "opennd.h"
