// SPDX-License-Identifier: MIT
//
// Without arguments the short run of the suite (model_test.cpp); with arguments a run at length, or again what failed:
//
//   model_test --seconds 600                       programs of all variants, from a fresh seed, which is printed
//   model_test --seed 4711 --programs 1            one of them; --face, --transport, --processes choose the variant
//   model_test --replay FILE --programs 100        a program from a file, so often
//
//   model_test --replay FILE --list PROGRAM.CPP    writes it as C++ (--seed chooses one too)
//
// A failing program is shrunk, and printed as text and as C++ (--keep FOLDER writes both there).
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>

#include "model/campaign.h"
#include "model/play/worker.h"

int main(int argc, char** argv) try {
    testing::InitGoogleTest(&argc, argv);
    std::map<std::string, std::string> options;
    for (int i = 1; i + 1 < argc; i += 2) options[argv[i]] = argv[i + 1];
    if (argc % 2 == 0) throw std::runtime_error("an option without its value; see the head of main.cpp");
    if (options.contains("--worker")) return opennd::modeled::work(options["--worker"].c_str());
    if (argc == 1) return RUN_ALL_TESTS();
    return opennd::modeled::run_at_length(options) ? 0 : 1;
} catch (const std::exception& failure) {
    std::cerr << failure.what() << '\n';
    return 2;
}
