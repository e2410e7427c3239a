// SPDX-License-Identifier: MIT
// See tuning.h.
#include "library/tuning.h"

#include "platform/memory/copy_choice.h"
#include "platform/thread/look_choice.h"
#include "transport/iwarp/wire/crc_choice.h"
#include "transport/local/placing_choice.h"

namespace opennd {

std::vector<Choice> choices_for_machine() {
    return {shown(copy_choice()), local::shown(local::placing_choice()), iwarp::shown(iwarp::crc_choice()),
            shown(look_choice())};
}

}  // namespace opennd
