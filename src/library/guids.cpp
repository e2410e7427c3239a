// SPDX-License-Identifier: MIT
// The storage of every interface identifier, for programs that do not define INITGUID (spec nd2 section 6.1).
#define INITGUID

#include "ndspi.h"
