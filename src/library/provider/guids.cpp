// SPDX-License-Identifier: MIT
// The storage of every interface and class identifier, for programs that do not define INITGUID.
#define INITGUID

#include "mana_ndspi.h"
#include "opennd.h"
