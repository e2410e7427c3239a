// SPDX-License-Identifier: MIT
// opennd_settings: the table of settings for programs, such as the help of `nd`.
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "library/settings/setting_table.h"
#include "opennd.h"

namespace opennd {
namespace {

class SettingTexts {
public:
    SettingTexts() {
        for (const SettingRow& row : setting_table()) texts_.push_back({values_of(row), default_of(row)});
        for (const SettingRow& row : setting_table()) {
            const Texts& own = texts_[rows_.size()];
            rows_.push_back({row.variable, own.values.c_str(), own.usual.c_str(), row.meaning});
        }
    }

    const std::vector<opennd_setting>& rows() const { return rows_; }

private:
    struct Texts {
        std::string values, usual;
    };

    std::vector<Texts> texts_;  // constant once rows_ points into it
    std::vector<opennd_setting> rows_;
};

}  // namespace
}  // namespace opennd

using namespace opennd;

const opennd_setting* opennd_settings(ULONG* count) {
    if (count != nullptr) *count = 0;
    try {
        static const auto* const texts = new SettingTexts;  // a program may keep the pointers
        if (count != nullptr) *count = static_cast<ULONG>(texts->rows().size());
        return texts->rows().data();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
