// SPDX-License-Identifier: MIT
//
// See sentences.h.
#include "support/sentences.h"

#include <gtest/gtest.h>
#include <opennd.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

namespace opennd::support {
namespace {

bool is_broken(const std::string& sentence) {
    const auto has = [&](const char* seam) { return sentence.find(seam) != std::string::npos; };
    return has(",,") || has("  ") || has(" ,") || has(",;") || has(";;") || has(": :") || has(" ()") || has(" ;");
}

class Reader final : public testing::EmptyTestEventListener {
public:
    void OnTestStart(const testing::TestInfo&) override { opennd_error_sink(&read, this); }
    void OnTestEnd(const testing::TestInfo&) override {
        opennd_error_sink(nullptr, nullptr);
        const std::lock_guard lock(mutex_);
        for (const std::string& sentence : broken_) ADD_FAILURE() << "a broken sentence: " << sentence;
        broken_.clear();
    }

private:
    static void read(void* self, const opennd_error* error) {
        std::string sentence = error->object;
        for (const char* part :
             {": ", error->operation, ": ", error->asked, "; limit: ", error->limit, "; ", error->remedy})
            sentence += part;
        auto* const reader = static_cast<Reader*>(self);
        const std::lock_guard lock(reader->mutex_);
        if (is_broken(sentence)) reader->broken_.push_back(sentence);
    }

    std::mutex mutex_;
    std::vector<std::string> broken_;
};

}  // namespace

void fail_tests_by_broken_sentences() { testing::UnitTest::GetInstance()->listeners().Append(new Reader); }

}  // namespace opennd::support
