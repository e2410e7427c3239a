// SPDX-License-Identifier: MIT
// Runs a fuzzer's target without libFuzzer: every file of a corpus, then mutations of them that depend on nothing but
// their number, so that one that fails can be run again.
//   replay CORPUS MUTATIONS [FIRST]     CORPUS: a folder, or one file
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

constexpr std::size_t kMostBytes = 4096;
// Longer than any run takes on a busy machine: a hang.
constexpr unsigned kSecondsForOne = 30;

char running[256] = "nothing";

void say_what_ran(int signal_number) {
    constexpr char kText[] = "replay: it failed, or hung, in ";
    (void)!::write(STDERR_FILENO, kText, sizeof kText - 1);
    (void)!::write(STDERR_FILENO, running, std::strlen(running));
    (void)!::write(STDERR_FILENO, "\n", 1);
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
}

void run(const Input& input, const std::string& name) {
    std::snprintf(running, sizeof running, "%s", name.c_str());
    ::alarm(kSecondsForOne);
    LLVMFuzzerTestOneInput(input.data(), input.size());
    ::alarm(0);
}

Input mutated(const std::vector<Input>& corpus, std::uint32_t number) {
    std::minstd_rand random(number + 1);
    const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
    Input input = corpus[below(corpus.size())];
    for (std::size_t count = 1 + below(6); count > 0; --count) {
        const auto at = static_cast<std::ptrdiff_t>(below(input.size() + 1));
        const auto end = std::min<std::ptrdiff_t>(at + 1 + static_cast<std::ptrdiff_t>(below(8)),
                                                  static_cast<std::ptrdiff_t>(input.size()));
        switch (below(4)) {
            case 0:
                if (at < end) input[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random());
                break;
            case 1: input.erase(input.begin() + at, input.begin() + end); break;
            case 2: {
                const Input piece(input.begin() + at, input.begin() + end);
                const auto to = static_cast<std::ptrdiff_t>(below(input.size() + 1));
                input.insert(input.begin() + to, piece.begin(), piece.end());
                break;
            }
            case 3: {  // how another one ends
                const Input& other = corpus[below(corpus.size())];
                input.erase(input.begin() + at, input.end());
                input.insert(input.end(), other.begin() + static_cast<std::ptrdiff_t>(below(other.size())),
                             other.end());
                break;
            }
        }
    }
    input.resize(std::min(input.size(), kMostBytes));
    return input;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fprintf(stderr, "usage: %s CORPUS MUTATIONS [FIRST]\n", arguments[0]);
        return 2;
    }
    for (const int fatal : {SIGABRT, SIGSEGV, SIGBUS, SIGALRM}) std::signal(fatal, &say_what_ran);
    std::vector<std::filesystem::path> files{arguments[1]};
    if (std::filesystem::is_directory(files[0])) {
        const std::filesystem::directory_iterator folder(files[0]);
        files.assign(begin(folder), end(folder));
    }
    std::sort(files.begin(), files.end());
    std::vector<Input> corpus;
    for (const auto& file : files) {
        std::ifstream stream(file, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
        run(corpus.back(), file.string());
    }
    if (corpus.empty()) {
        std::fprintf(stderr, "replay: %s has no files\n", arguments[1]);
        return 2;
    }
    const auto first = static_cast<std::uint32_t>(count > 3 ? std::atol(arguments[3]) : 0);
    const auto mutations = static_cast<std::uint32_t>(std::atol(arguments[2]));
    for (std::uint32_t i = first; i < first + mutations; ++i) run(mutated(corpus, i), "mutation " + std::to_string(i));
    std::printf("%zu files and %u mutations ran\n", corpus.size(), mutations);
    return 0;
}
