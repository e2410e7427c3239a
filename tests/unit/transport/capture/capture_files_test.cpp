// SPDX-License-Identifier: MIT
// The files of a capture: one or a ring, for one process alone, readable by its user alone.
#include "transport/capture/capture_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

namespace opennd::capture {
namespace {

class CaptureFilesTest : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "/captures_XXXXXX";
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
        options_.file = folder_ + "/traffic.pcapng";
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::set<std::string> names() const {
        std::set<std::string> all;
        for (const auto& each : std::filesystem::directory_iterator(folder_)) all.insert(each.path().filename());
        return all;
    }
    static Status append(CaptureFiles& files, std::size_t bytes) { return files.append(Octets(bytes)); }

    std::string folder_;
    Options options_;
    const WallTime at_{1'600'000'000'000'000'000};
};

TEST_F(CaptureFilesTest, AreOneUnlessTheyRotate) {
    CaptureFiles files(options_, 7);
    ASSERT_EQ(files.open_next(at_), Status::success);
    ASSERT_EQ(append(files, 1000), Status::success);
    EXPECT_FALSE(files.is_full(1'000'000'000));
    EXPECT_EQ(names(), std::set<std::string>{"traffic.pcapng"});
}

TEST_F(CaptureFilesTest, AreReadableByTheirUserAlone) {
    CaptureFiles files(options_, 7);
    ASSERT_EQ(files.open_next(at_), Status::success);
    struct stat file {};
    ASSERT_EQ(::stat(files.path().c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & 0777, 0600u);
}

TEST_F(CaptureFilesTest, LoseTheOldestOfARing) {
    options_.files = 2;
    options_.file_bytes = 1000;
    CaptureFiles files(options_, 7);
    std::array<std::string, 4> paths;
    for (std::string& path : paths) {
        ASSERT_EQ(files.open_next(at_), Status::success);
        path = files.path();
        ASSERT_EQ(append(files, 900), Status::success);
        EXPECT_FALSE(files.is_full(100));
        EXPECT_TRUE(files.is_full(101));
    }
    EXPECT_EQ(names().size(), 2u);
    EXPECT_FALSE(std::filesystem::exists(paths[1]));
    EXPECT_TRUE(std::filesystem::exists(paths[2]));
    EXPECT_TRUE(std::filesystem::path(paths[3]).filename().string().starts_with("traffic_00004_20200913")) << paths[3];
    EXPECT_TRUE(paths[3].ends_with(".pcapng"));
}

TEST_F(CaptureFilesTest, OfAnotherProcessStayAsTheyAre) {
    CaptureFiles files(options_, 7), others(options_, 8);
    ASSERT_EQ(files.open_next(at_), Status::success);
    ASSERT_EQ(append(files, 1000), Status::success);
    ASSERT_EQ(others.open_next(at_), Status::success);
    EXPECT_EQ(others.path(), folder_ + "/traffic_8.pcapng");
    EXPECT_EQ(std::filesystem::file_size(options_.file), 1000u);
}

TEST_F(CaptureFilesTest, OfEarlierRunsAreWrittenAnew) {
    {
        CaptureFiles earlier(options_, 7);
        ASSERT_EQ(earlier.open_next(at_), Status::success);
        ASSERT_EQ(append(earlier, 1000), Status::success);
    }
    CaptureFiles files(options_, 8);
    ASSERT_EQ(files.open_next(at_), Status::success);
    EXPECT_EQ(files.path(), options_.file);
    EXPECT_EQ(std::filesystem::file_size(options_.file), 0u);
}

TEST_F(CaptureFilesTest, ThatCannotBeWrittenAreTold) {
    options_.file = folder_ + "/absent/traffic.pcapng";
    CaptureFiles files(options_, 7);
    EXPECT_EQ(files.open_next(at_), Status::connection_refused) << "ENOENT";
    options_.file = "/dev/full";
    CaptureFiles full(options_, 7);
    ASSERT_EQ(full.open_next(at_), Status::success);
    EXPECT_EQ(append(full, 10), Status::insufficient_resources);
}

// A pipe that nobody reads would hold up the process.
TEST_F(CaptureFilesTest, ThatAreAPipeWithoutAReaderAreRefused) {
    ASSERT_EQ(::mkfifo(options_.file.c_str(), 0600), 0);
    CaptureFiles files(options_, 7);
    EXPECT_EQ(files.open_next(at_), Status::device_removed) << "ENXIO";
}

}  // namespace
}  // namespace opennd::capture
