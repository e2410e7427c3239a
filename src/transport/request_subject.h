// SPDX-License-Identifier: MIT
// Seam: what a Bind, a FastRegister or an Invalidate is about. A transport keeps a reference from the post until the request
// completes, and knows its own.
#pragma once

#include "base/ref.h"

namespace opennd {

class TransportRequestSubject : public RefCounted {};

}  // namespace opennd
