// SPDX-License-Identifier: MIT
// Opening streams by wide paths, and closing all of them.
#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>

#include "win32/text.h"
#include "windows/text/utf8.h"

using namespace opennd::windows;

namespace {

// Drops the parts that only Windows has: text mode, and options behind a comma.
std::string system_mode(std::string_view mode) {
    std::string kept;
    for (const char c : mode.substr(0, mode.find(',')))
        if (c != 't' && c != ' ') kept += c;
    return kept;
}

errno_t give(FILE** stream, FILE* opened) {
    if (stream == nullptr) return EINVAL;
    *stream = opened;
    return opened != nullptr ? 0 : errno;
}

}  // namespace

FILE* _wfopen(const wchar_t* path, const wchar_t* mode) {
    return std::fopen(to_utf8(path).c_str(), system_mode(to_utf8(mode)).c_str());
}

FILE* _wfreopen(const wchar_t* path, const wchar_t* mode, FILE* stream) {
    return std::freopen(to_utf8(path).c_str(), system_mode(to_utf8(mode)).c_str(), stream);
}

errno_t fopen_s(FILE** stream, const char* path, const char* mode) {
    return stream == nullptr ? EINVAL : give(stream, std::fopen(path, system_mode(mode).c_str()));
}

errno_t _wfopen_s(FILE** stream, const wchar_t* path, const wchar_t* mode) {
    return stream == nullptr ? EINVAL : give(stream, _wfopen(path, mode));
}

int _fcloseall(void) { return std::fflush(nullptr) == 0 ? 0 : EOF; }
