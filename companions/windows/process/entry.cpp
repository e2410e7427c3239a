// SPDX-License-Identifier: MIT
// The arguments of wmain; see wide_argument.h, too.
#include "win32/entry.h"

#include <locale.h>

#include <cstdlib>
#include <cwchar>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "windows/process/wide_argument.h"
#include "windows/text/utf8.h"

namespace opennd::windows {
namespace {

// The bytes decoded in the environment's locale; nullopt: not text in it.
std::optional<std::wstring> from_environment(const char* text) {
    const locale_t environment = newlocale(LC_CTYPE_MASK, "", nullptr);
    if (environment == nullptr) return std::nullopt;
    const locale_t before = uselocale(environment);
    std::mbstate_t state{};
    const char* rest = text;
    const std::size_t length = std::mbsrtowcs(nullptr, &rest, 0, &state);
    std::optional<std::wstring> wide;
    if (length != static_cast<std::size_t>(-1)) {
        wide.emplace(length, L'\0');
        state = {};
        rest = text;
        std::mbsrtowcs(wide->data(), &rest, length, &state);
    }
    uselocale(before);
    freelocale(environment);
    return wide;
}

}  // namespace

std::wstring wide_argument(const std::string& text) { return from_environment(text.c_str()).value_or(from_utf8(text)); }

}  // namespace opennd::windows

using namespace opennd::windows;

namespace {

struct Arguments {
    std::vector<std::wstring> texts;
    std::vector<wchar_t*> pointers;
};

}  // namespace

wchar_t** opennd_wide_arguments(int argc, char** argv) {
    static auto* const arguments = new Arguments;  // the program may keep pointers to its end
    arguments->texts.clear();
    arguments->pointers.clear();
    for (int i = 0; i < argc; ++i) {
        arguments->texts.push_back(wide_argument(argv[i]));
    }
    for (std::wstring& text : arguments->texts) arguments->pointers.push_back(text.data());
    arguments->pointers.push_back(nullptr);
    return arguments->pointers.data();
}
