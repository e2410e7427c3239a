// SPDX-License-Identifier: MIT
// Command lines, taken apart and put together.
#include <gtest/gtest.h>
#include <shellapi.h>

#include <fstream>
#include <string>
#include <vector>

namespace opennd {
namespace {

using Arguments = std::vector<std::wstring>;

Arguments arguments_of(const wchar_t* line) {
    int count = 0;
    LPWSTR* const arguments = CommandLineToArgvW(line, &count);
    if (arguments == nullptr) return {};
    EXPECT_EQ(arguments[count], nullptr);
    const Arguments found(arguments, arguments + count);
    EXPECT_EQ(LocalFree(arguments), nullptr);
    return found;
}

struct Case {
    const wchar_t* line;
    Arguments arguments;
};

TEST(CommandLine, IsTakenApartAtBlanksOutsideQuotationMarks) {
    const Case cases[] = {
        {L"a", {L"a"}},
        {L"a b\tc", {L"a", L"b", L"c"}},
        {L"a  b  ", {L"a", L"b"}},
        {L"a \"b c\" d", {L"a", L"b c", L"d"}},
        {L"a b\"c d\"e", {L"a", L"bc de"}},
        {L"a \"\" b", {L"a", L"", L"b"}},
        {L"a \"b c", {L"a", L"b c"}},
        {L"\"a b\" c", {L"a b", L"c"}},
        {L"\"a\\\\\" c", {L"a\\\\", L"c"}},
        {L" b c", {L"", L"b", L"c"}},
    };
    for (const Case& known : cases) EXPECT_EQ(arguments_of(known.line), known.arguments) << known.line;
}

TEST(CommandLine, TakesBackslashesByPairsBeforeAQuotationMarkAlone) {
    const Case cases[] = {
        {L"a b\\c\\\\d", {L"a", L"b\\c\\\\d"}},
        {L"a b\\", {L"a", L"b\\"}},
        {L"a \\\"b", {L"a", L"\"b"}},
        {L"a \"b\\\" c\" d", {L"a", L"b\" c", L"d"}},
        {L"a \"b\\\\\" d", {L"a", L"b\\", L"d"}},
        {L"a b\\\\\\\"c d", {L"a", L"b\\\"c", L"d"}},
        {L"a \"b\"\"c\" d", {L"a", L"b\"c d"}},
        {L"a \"\"\"b\"\"\" c", {L"a", L"\"b\"", L"c"}},
    };
    for (const Case& known : cases) EXPECT_EQ(arguments_of(known.line), known.arguments) << known.line;
}

TEST(CommandLine, ThatIsEmptyIsTheProgram) {
    wchar_t path[MAX_PATH * 4];
    GetModuleFileNameW(nullptr, path, MAX_PATH * 4);
    EXPECT_EQ(arguments_of(L""), Arguments{path});
}

TEST(CommandLine, ThatIsNoneIsRefused) {
    int count = 0;
    EXPECT_EQ(CommandLineToArgvW(nullptr, &count), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(CommandLineToArgvW(L"a", nullptr), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

TEST(CommandLine, OfThisProcessGivesItsArguments) {
    Arguments given;
    std::ifstream arguments("/proc/self/cmdline");
    for (std::string text; std::getline(arguments, text, '\0');) given.emplace_back(text.begin(), text.end());
    EXPECT_EQ(arguments_of(GetCommandLineW()), given);
    EXPECT_EQ(std::wstring(GetCommandLineW()).size(), std::string(GetCommandLineA()).size());
}

}  // namespace
}  // namespace opennd
