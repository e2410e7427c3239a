// SPDX-License-Identifier: MIT
// The kernel debugger's output: lines of OpenND's log.
#include "kernel/debug.h"

#include <string>
#include <string_view>

#include "opennd.h"
#include "win32/printing.h"

namespace {

opennd_log_level log_level(ULONG level) {
    switch (level) {
        case DPFLTR_ERROR_LEVEL: return OPENND_LOG_ERROR;
        case DPFLTR_WARNING_LEVEL: return OPENND_LOG_WARN;
        case DPFLTR_TRACE_LEVEL: return OPENND_LOG_DEBUG;
        default: return OPENND_LOG_INFO;
    }
}

std::string text_of(const char* format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = _vscprintf(format, again);
    va_end(again);
    std::string text(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
    _vsnprintf(text.data(), text.size() + 1, format, arguments);
    return text;
}

}  // namespace

ULONG vDbgPrintEx(ULONG, ULONG Level, const char* Format, va_list arglist) {
    const std::string text = text_of(Format, arglist);
    for (std::string_view left = text; !left.empty();) {
        const auto end = left.find('\n');
        const std::string line(left.substr(0, end));
        if (!line.empty()) opennd_log_write(log_level(Level), line.c_str());
        left.remove_prefix(end == left.npos ? left.size() : end + 1);
    }
    return STATUS_SUCCESS;
}

ULONG DbgPrint(const char* Format, ...) {
    va_list arguments;
    va_start(arguments, Format);
    const ULONG result = vDbgPrintEx(DPFLTR_DEFAULT_ID, DPFLTR_INFO_LEVEL, Format, arguments);
    va_end(arguments);
    return result;
}

ULONG DbgPrintEx(ULONG ComponentId, ULONG Level, const char* Format, ...) {
    va_list arguments;
    va_start(arguments, Format);
    const ULONG result = vDbgPrintEx(ComponentId, Level, Format, arguments);
    va_end(arguments);
    return result;
}
