// SPDX-License-Identifier: MIT
// What the library tells of itself: its version, the names of statuses, and what it chose for the machine (`nd info --tuning`).
#include <new>
#include <vector>

#include "base/kept_once.h"
#include "base/status_names.h"
#include "library/library.h"
#include "library/version.h"
#include "opennd.h"

namespace opennd {
namespace {

class ChoiceTexts {
public:
    ChoiceTexts() {
        static_cast<void>(Library::instance());  // it pins those with a setting
        texts_ = choices_for_machine();
        for (const Choice& choice : texts_)
            rows_.push_back({choice.subject.c_str(), choice.value.c_str(), name(choice.ground).data(),
                             choice.reason.c_str(), choice.setting.c_str()});
    }

    const std::vector<opennd_choice>& rows() const { return rows_; }

private:
    std::vector<Choice> texts_;  // constant once rows_ points into it
    std::vector<opennd_choice> rows_;
};

constinit KeptOnce<ChoiceTexts> choice_texts;

}  // namespace
}  // namespace opennd

using namespace opennd;

const char* opennd_status_name(HRESULT status) { return status_name(status); }

const char* opennd_version(void) { return kVersion; }

const opennd_choice* opennd_choices(ULONG* count) {
    if (count != nullptr) *count = 0;
    try {
        const ChoiceTexts& texts = choice_texts.made();  // a program may keep the pointers
        if (count != nullptr) *count = static_cast<ULONG>(texts.rows().size());
        return texts.rows().data();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
