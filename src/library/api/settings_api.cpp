// SPDX-License-Identifier: MIT
// The functions of opennd.h on settings: the table, for programs such as the help of `nd`, and the values.
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "base/kept_once.h"
#include "library/api/text_buffer.h"
#include "library/library.h"
#include "library/settings/setting_table.h"
#include "opennd.h"
#include "spi/at_face.h"
#include "spi/explanation.h"

namespace opennd {
namespace {

constexpr Site kSettingValue{"settings", "opennd_setting_value"};

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

const SettingRow* find_setting(std::string_view variable) {
    for (const SettingRow& row : setting_table())
        if (row.variable == variable) return &row;
    return nullptr;
}

constinit KeptOnce<SettingTexts> setting_texts;

}  // namespace
}  // namespace opennd

using namespace opennd;

const opennd_setting* opennd_settings(ULONG* count) {
    if (count != nullptr) *count = 0;
    try {
        const SettingTexts& texts = setting_texts.made();  // a program may keep the pointers
        if (count != nullptr) *count = static_cast<ULONG>(texts.rows().size());
        return texts.rows().data();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

HRESULT opennd_setting_value(const char* variable, char* value, SIZE_T value_bytes, opennd_setting_source* source) {
    static_assert(int(SettingSource::usual) == OPENND_SETTING_DEFAULT &&
                  int(SettingSource::environment) == OPENND_SETTING_ENVIRONMENT &&
                  int(SettingSource::refused) == OPENND_SETTING_REFUSED);
    if (variable == nullptr) return refuse_null(ND_INVALID_PARAMETER, kSettingValue, "variable");
    if (!is_buffer(value, value_bytes)) return refuse_null(ND_INVALID_PARAMETER, kSettingValue, "value, or its size,");
    return at_face([&]() -> HRESULT {
        const SettingRow* const row = find_setting(variable);
        if (!row)
            return explain(ND_INVALID_PARAMETER, {.object = kSettingValue.object,
                                                  .operation = kSettingValue.operation,
                                                  .asked = phrase("a setting \"{}\"", variable),
                                                  .limit = "the settings that opennd_settings lists",
                                                  .remedy = "see `nd info --settings`",
                                                  .requirement = "ND2-GEN-02"});
        const SettingNow now = setting_now(*row, &environment_value);
        copy_text(now.value, value, value_bytes);
        if (source != nullptr) *source = static_cast<opennd_setting_source>(now.source);
        return ND_SUCCESS;
    });
}
