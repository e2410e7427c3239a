// SPDX-License-Identifier: MIT
//
// A program that breaks a rule of the checking layer at places that places_test.py finds by the words behind them.
//   program here|inlined|threads|child|library FILE|libdw
#include <dlfcn.h>
#include <ndsupport.h>
#include <opennd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "places/misuse.h"

namespace {

// Not the last call of its function, so that the compiler leaves a frame of it.
[[gnu::noinline]] void misuse_here() {
    const volatile HRESULT status = open_before_startup();  // place: here
    if (status == ND_SUCCESS) std::puts("an adapter was opened");
}

[[gnu::always_inline]] inline HRESULT compiled_into_its_caller() {
    return open_before_startup();  // place: inlined
}

// Not the same code as above, of which the compiler would make one function.
[[gnu::noinline]] void misuse_inlined() {
    const volatile HRESULT status = compiled_into_its_caller();  // place: around
    if (status == ND_SUCCESS) std::puts("an adapter was opened all the same");
}

void misuse_in_threads() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([] {
            for (int times = 0; times < 100; ++times) misuse_here();
        });
    for (std::thread& thread : threads) thread.join();
}

void misuse_in_child() {
    misuse_here();
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        misuse_inlined();
        std::exit(EXIT_SUCCESS);
    }
    ::waitpid(child, nullptr, 0);
}

bool misuse_in_library(const char* file) {
    void* const library = ::dlopen(file, RTLD_NOW);
    if (!library) return std::fprintf(stderr, "%s\n", ::dlerror()), false;
    const auto misuse = reinterpret_cast<void (*)()>(::dlsym(library, "misuse_of_library"));
    if (misuse) misuse();
    return misuse != nullptr;
}

// Whether a file of this name is part of the process.
bool is_loaded(const char* name) {
    std::ifstream mappings("/proc/self/maps");
    for (std::string line; std::getline(mappings, line);)
        if (line.find(name) != std::string::npos) return true;
    return false;
}

}  // namespace

int main(int count, char* arguments[]) {
    const std::string mode = count > 1 ? arguments[1] : "";
    if (mode == "here")
        misuse_here();
    else if (mode == "inlined")
        misuse_inlined();
    else if (mode == "threads")
        misuse_in_threads();
    else if (mode == "child")
        misuse_in_child();
    else if (mode == "library" && count == 3)
        return misuse_in_library(arguments[2]) ? EXIT_SUCCESS : EXIT_FAILURE;
    else if (mode == "libdw")
        std::puts(NdStartup() == ND_SUCCESS && is_loaded("/libdw") ? "libdw is loaded" : "libdw is not loaded");
    else
        return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
