// SPDX-License-Identifier: MIT
// The identifier of nothing, for programs that do not define it themselves.
#define INITGUID
#include "guiddef.h"
