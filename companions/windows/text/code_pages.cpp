// SPDX-License-Identifier: MIT
// MultiByteToWideChar, WideCharToMultiByte: UTF-8 under the names that Windows has for encodings.
#include "win32/code_pages.h"

#include <algorithm>
#include <cstring>
#include <cwchar>
#include <string>
#include <string_view>

#include "windows/last_error.h"
#include "windows/text/utf8.h"

using namespace opennd::windows;

namespace {

bool is_known(UINT page) { return page == CP_ACP || page == CP_OEMCP || page == CP_THREAD_ACP || page == CP_UTF8; }

std::size_t length_of(const char* text) { return std::strlen(text) + 1; }
std::size_t length_of(const wchar_t* text) { return std::wcslen(text) + 1; }

// With its end where the program gives no length.
template <typename Char>
std::basic_string_view<Char> text_of(const Char* text, int length) {
    return {text, length == -1 ? length_of(text) : static_cast<std::size_t>(length)};
}

// Arguments that both functions refuse. Null pointers and lengths are checked before anything is read.
template <typename From, typename To>
bool are_wrong(UINT page, const From* text, int length, const To* out, int room) {
    return !is_known(page) || text == nullptr || length == 0 || length < -1 || room < 0 ||
           (room > 0 && (out == nullptr || static_cast<const void*>(out) == static_cast<const void*>(text)));
}

template <typename Char>
int give(const std::basic_string<Char>& text, Char* out, int room) {
    const int length = static_cast<int>(text.size());
    if (room == 0) return length;
    std::copy_n(text.data(), std::min(length, room), out);
    return length <= room ? length : fail(ERROR_INSUFFICIENT_BUFFER, 0);
}

}  // namespace

int MultiByteToWideChar(UINT CodePage, DWORD dwFlags, LPCCH lpMultiByteStr, int cbMultiByte, LPWSTR lpWideCharStr,
                        int cchWideChar) {
    if (are_wrong(CodePage, lpMultiByteStr, cbMultiByte, lpWideCharStr, cchWideChar))
        return fail(ERROR_INVALID_PARAMETER, 0);
    // MB_PRECOMPOSED is legal for encodings other than UTF-8.
    const DWORD known = MB_ERR_INVALID_CHARS | (CodePage == CP_UTF8 ? 0 : MB_PRECOMPOSED);
    if ((dwFlags & ~known) != 0) return fail(ERROR_INVALID_FLAGS, 0);
    const std::string_view text = text_of(lpMultiByteStr, cbMultiByte);
    if ((dwFlags & MB_ERR_INVALID_CHARS) != 0 && !is_utf8(text)) return fail(ERROR_NO_UNICODE_TRANSLATION, 0);
    return give(from_utf8(text), lpWideCharStr, cchWideChar);
}

int WideCharToMultiByte(UINT CodePage, DWORD dwFlags, LPCWCH lpWideCharStr, int cchWideChar, LPSTR lpMultiByteStr,
                        int cbMultiByte, LPCCH lpDefaultChar, LPBOOL lpUsedDefaultChar) {
    if (are_wrong(CodePage, lpWideCharStr, cchWideChar, lpMultiByteStr, cbMultiByte))
        return fail(ERROR_INVALID_PARAMETER, 0);
    if (CodePage == CP_UTF8 && (lpDefaultChar != nullptr || lpUsedDefaultChar != nullptr))
        return fail(ERROR_INVALID_PARAMETER, 0);
    const DWORD known = WC_ERR_INVALID_CHARS | (CodePage == CP_UTF8 ? 0 : WC_NO_BEST_FIT_CHARS);
    if ((dwFlags & ~known) != 0) return fail(ERROR_INVALID_FLAGS, 0);
    const std::wstring_view text = text_of(lpWideCharStr, cchWideChar);
    if ((dwFlags & WC_ERR_INVALID_CHARS) != 0 && !std::all_of(text.begin(), text.end(), is_character))
        return fail(ERROR_NO_UNICODE_TRANSLATION, 0);
    if (lpUsedDefaultChar != nullptr) *lpUsedDefaultChar = FALSE;
    return give(to_utf8(text), lpMultiByteStr, cbMultiByte);
}
