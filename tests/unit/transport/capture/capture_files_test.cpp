// SPDX-License-Identifier: MIT
// The files of a capture: one or a ring, for one process alone, readable by its user alone.
#include "transport/capture/capture_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
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
    CaptureFiles files_of(std::int64_t process) const {
        return CaptureFiles(options_, std::make_unique<FileRing>(options_, process));
    }
    static Status append(CaptureFiles& files, std::size_t bytes) { return files.append(Octets(bytes)); }

    std::string folder_;
    Options options_;
    const WallTime at_{1'600'000'000'000'000'000};
};

TEST_F(CaptureFilesTest, AreOneUnlessTheyRotate) {
    CaptureFiles files = files_of(7);
    ASSERT_EQ(files.open_next(at_), Status::success);
    ASSERT_EQ(append(files, 1000), Status::success);
    EXPECT_FALSE(files.is_full(1'000'000'000));
    EXPECT_EQ(names(), std::set<std::string>{"traffic.pcapng"});
}

TEST_F(CaptureFilesTest, AreReadableByTheirUserAlone) {
    CaptureFiles files = files_of(7);
    ASSERT_EQ(files.open_next(at_), Status::success);
    struct stat file {};
    ASSERT_EQ(::stat(files.path().c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & 0777, 0600u);
}

TEST_F(CaptureFilesTest, LoseTheOldestOfARing) {
    options_.files = 2;
    options_.file_bytes = 1000;
    CaptureFiles files = files_of(7);
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
    CaptureFiles files = files_of(7), others = files_of(8);
    ASSERT_EQ(files.open_next(at_), Status::success);
    ASSERT_EQ(append(files, 1000), Status::success);
    ASSERT_EQ(others.open_next(at_), Status::success);
    EXPECT_EQ(others.path(), folder_ + "/traffic_8.pcapng");
    EXPECT_EQ(std::filesystem::file_size(options_.file), 1000u);
}

TEST_F(CaptureFilesTest, OfEarlierRunsAreWrittenAnew) {
    {
        CaptureFiles earlier = files_of(7);
        ASSERT_EQ(earlier.open_next(at_), Status::success);
        ASSERT_EQ(append(earlier, 1000), Status::success);
    }
    CaptureFiles files = files_of(8);
    ASSERT_EQ(files.open_next(at_), Status::success);
    EXPECT_EQ(files.path(), options_.file);
    EXPECT_EQ(std::filesystem::file_size(options_.file), 0u);
}

TEST_F(CaptureFilesTest, ThatCannotBeWrittenAreTold) {
    options_.file = folder_ + "/absent/traffic.pcapng";
    CaptureFiles files = files_of(7);
    EXPECT_EQ(files.open_next(at_), Status::connection_refused) << "ENOENT";
    options_.file = "/dev/full";
    CaptureFiles full = files_of(7);
    ASSERT_EQ(full.open_next(at_), Status::success);
    EXPECT_EQ(append(full, 10), Status::insufficient_resources);
}

// Another user who may write to the folder, as to /tmp, must not choose the file that is overwritten.
TEST_F(CaptureFilesTest, AreNeverReachedByASymbolicLink) {
    const std::string precious = folder_ + "/precious";
    std::ofstream(precious) << "content";
    ASSERT_EQ(::symlink(precious.c_str(), options_.file.c_str()), 0);
    CaptureFiles files = files_of(7);
    EXPECT_EQ(files.open_next(at_), Status::access_violation);
    EXPECT_NE(files.reason().find("symbolic link"), std::string::npos) << files.reason();
    EXPECT_EQ(std::filesystem::file_size(precious), 7u);
}

// Another user must not read a capture.
TEST_F(CaptureFilesTest, OfAnotherUserAreRefused) {
    if (::geteuid() != 0) GTEST_SKIP() << "needs a file of another user, which root alone can make";
    std::ofstream(options_.file) << "content";
    const std::string pipe = folder_ + "/pipe.pcapng";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0666), 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    for (const std::string& path : {options_.file, pipe}) {
        ASSERT_EQ(::chown(path.c_str(), 12345, 12345), 0);
        options_.file = path;
        CaptureFiles files = files_of(7);
        EXPECT_EQ(files.open_next(at_), Status::access_violation) << path;
        EXPECT_NE(files.reason().find("another user's"), std::string::npos) << files.reason();
    }
    ::close(reader);
    EXPECT_EQ(std::filesystem::file_size(folder_ + "/traffic.pcapng"), 7u);
}

TEST_F(CaptureFilesTest, OfOneNameAreOneHoweverOftenAskedFor) {
    FileRing ring(options_, 7);
    std::string path, reason;
    ASSERT_TRUE(ring.open_next(at_, path, reason).ok());
    EXPECT_EQ(ring.open_next(at_, path, reason).status(), Status::invalid_parameter);
    EXPECT_EQ(names(), std::set<std::string>{"traffic.pcapng"});
}

// The shell may have opened it to append: what stood there stays.
TEST_F(CaptureFilesTest, ThatAreStandardOutputKeepWhatStoodThere) {
    std::ofstream(options_.file) << "before";
    const int log = ::open(options_.file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    const int standard_output = ::dup(STDOUT_FILENO);
    ASSERT_EQ(::dup2(log, STDOUT_FILENO), STDOUT_FILENO);
    options_.file = "-";
    CaptureFiles files = files_of(7);
    const Status opened = files.open_next(at_), appended = append(files, 10);
    files.close();
    ::dup2(standard_output, STDOUT_FILENO);
    ::close(standard_output);
    ::close(log);
    EXPECT_EQ(opened, Status::success);
    EXPECT_EQ(appended, Status::success);
    EXPECT_EQ(std::filesystem::file_size(folder_ + "/traffic.pcapng"), 16u);
    EXPECT_EQ(names(), std::set<std::string>{"traffic.pcapng"});
}

// A pipe that nobody reads would hold up the process.
TEST_F(CaptureFilesTest, ThatAreAPipeWithoutAReaderAreRefused) {
    ASSERT_EQ(::mkfifo(options_.file.c_str(), 0600), 0);
    CaptureFiles files = files_of(7);
    EXPECT_EQ(files.open_next(at_), Status::device_removed) << "ENXIO";
}

}  // namespace
}  // namespace opennd::capture
