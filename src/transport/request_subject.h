// SPDX-License-Identifier: MIT
// Seam: the subject of a Bind, a FastRegister or an Invalidate. A transport keeps a reference from the post until the
// request completes, and knows its own kinds.
#pragma once

#include "base/ref.h"

namespace opennd {

class TransportRequestSubject : public RefCounted {};

}  // namespace opennd
