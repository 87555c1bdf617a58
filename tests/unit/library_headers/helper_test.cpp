// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <helper_functions.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

namespace {

namespace fs = std::filesystem;

class Arguments {
public:
  Arguments(std::initializer_list<const char *> list) : values(list) {}
  int count() const { return static_cast<int>(values.size()); }
  const char **data() { return values.data(); }

private:
  std::vector<const char *> values;
};

TEST(HelperString, findsArguments) {
  Arguments a{"prog", "-n=1024", "--Scale=2.5", "-verbose", "plain", "-file=a=b.pgm", "-w16"};
  EXPECT_TRUE(checkCmdLineFlag(a.count(), a.data(), "n"));
  EXPECT_TRUE(checkCmdLineFlag(a.count(), a.data(), "VERBOSE"));
  EXPECT_FALSE(checkCmdLineFlag(a.count(), a.data(), "verb"));
  EXPECT_FALSE(checkCmdLineFlag(a.count(), a.data(), "plain"));
  EXPECT_FALSE(checkCmdLineFlag(a.count(), a.data(), "prog"));
  EXPECT_EQ(getCmdLineArgumentInt(a.count(), a.data(), "n"), 1024);
  EXPECT_EQ(getCmdLineArgumentInt(a.count(), a.data(), "w"), 16);
  EXPECT_EQ(getCmdLineArgumentInt(a.count(), a.data(), "absent"), 0);
  EXPECT_FLOAT_EQ(getCmdLineArgumentFloat(a.count(), a.data(), "scale"), 2.5f);
  char *file = nullptr;
  EXPECT_TRUE(getCmdLineArgumentString(a.count(), a.data(), "file", &file));
  EXPECT_STREQ(file, "a=b.pgm");
  EXPECT_FALSE(getCmdLineArgumentString(a.count(), a.data(), "out", &file));
  EXPECT_EQ(file, nullptr);
  double value = 7;
  EXPECT_TRUE(getCmdLineArgumentValue(a.count(), a.data(), "scale", &value));
  EXPECT_EQ(value, 2.5);
  EXPECT_EQ(stringRemoveDelimiter('-', "--x"), 2);
}

class Files : public testing::Test {
protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) /
             ("library_headers_" +
              std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string path(const char *name) const { return (folder / name).string(); }

  fs::path folder;
};

TEST_F(Files, dataIsFoundNearTheProgram) {
  fs::create_directories(folder / "bin");
  fs::create_directories(folder / "data");
  std::ofstream(folder / "data" / "in.txt") << "1";
  const std::string program = path("bin/prog");
  char *found = sdkFindFilePath("in.txt", program.c_str());
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(fs::equivalent(found, folder / "data" / "in.txt"));
  free(found);
  EXPECT_EQ(sdkFindFilePath("no_such_file.txt", program.c_str()), nullptr);
}

TEST_F(Files, imagesSurviveARoundTrip) {
  std::vector<unsigned char> pixels(5 * 3 * 3);
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<unsigned char>(i * 5);
  ASSERT_TRUE(sdkSavePPM(path("a.ppm").c_str(), pixels.data(), 5, 3));
  unsigned char *loaded = nullptr;
  unsigned int w = 0, h = 0;
  ASSERT_TRUE(sdkLoadPPM(path("a.ppm").c_str(), &loaded, &w, &h));
  EXPECT_EQ(w, 5u);
  EXPECT_EQ(h, 3u);
  EXPECT_TRUE(std::equal(pixels.begin(), pixels.end(), loaded));
  free(loaded);

  loaded = nullptr;
  ASSERT_TRUE(sdkLoadPPM4ub(path("a.ppm").c_str(), &loaded, &w, &h));
  EXPECT_EQ(loaded[4], pixels[3]);
  EXPECT_EQ(loaded[7], 0);
  ASSERT_TRUE(sdkSavePPM4ub(path("b.ppm").c_str(), loaded, w, h));
  free(loaded);
  EXPECT_TRUE(sdkComparePPM(path("a.ppm").c_str(), path("b.ppm").c_str(), 0.0f, 0.0f));
  EXPECT_FALSE(sdkComparePGM(path("a.ppm").c_str(), path("b.ppm").c_str(), 0.0f, 0.0f));
}

TEST_F(Files, greyImagesScaleToFloat) {
  std::ofstream(folder / "g.pgm", std::ios::binary) << "P5\n# a comment\n2 1\n255\n"
                                                    << char(51) << char(255);
  float *grey = nullptr;
  unsigned int w = 0, h = 0;
  ASSERT_TRUE(sdkLoadPGM(path("g.pgm").c_str(), &grey, &w, &h));
  EXPECT_FLOAT_EQ(grey[0], 0.2f);
  EXPECT_FLOAT_EQ(grey[1], 1.0f);
  free(grey);
  unsigned char given[2] = {0, 0}, *into = given;
  ASSERT_TRUE(sdkLoadPGM(path("g.pgm").c_str(), &into, &w, &h));
  EXPECT_EQ(given[0], 51);
}

TEST_F(Files, textFilesAreRead) {
  const float values[] = {1.5f, -2.0f, 3.25f};
  std::ofstream(folder / "v.txt") << "1.5 -2\n3.25\n";
  float *read = nullptr;
  unsigned int count = 0;
  ASSERT_TRUE(sdkReadFile(path("v.txt").c_str(), &read, &count, true));
  ASSERT_EQ(count, 3u);
  EXPECT_TRUE(std::equal(values, values + 3, read));
  free(read);
  EXPECT_FALSE(sdkReadFile(path("none.txt").c_str(), &read, &count, false));
}

TEST(HelperImage, comparesWithATolerance) {
  const float reference[] = {1.0f, 2.0f, 3.0f, 4.0f}, near[] = {1.0f, 2.0f, 3.0f, 4.5f},
              nan[] = {1.0f, 2.0f, 3.0f, NAN};
  EXPECT_TRUE(compareData(reference, reference, 4, 0.0f, 0.0f));
  EXPECT_FALSE(compareData(reference, near, 4, 0.1f, 0.0f));
  EXPECT_TRUE(compareData(reference, near, 4, 0.5f, 0.0f));
  EXPECT_TRUE(compareData(reference, near, 4, 0.1f, 0.25f));
  EXPECT_FALSE(compareData(reference, nan, 4, 0.5f, 0.0f));
  EXPECT_TRUE(sdkCompareL2fe(reference, near, 4, 0.1f));
  EXPECT_FALSE(sdkCompareL2fe(reference, near, 4, 0.09f));
}

TEST(HelperTimer, addsUpWhatItTimes) {
  StopWatchInterface *timer = nullptr;
  ASSERT_TRUE(sdkCreateTimer(&timer));
  for (int i = 0; i < 2; ++i) {
    sdkStartTimer(&timer);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    sdkStopTimer(&timer);
  }
  const float total = sdkGetTimerValue(&timer);
  EXPECT_GE(total, 10.0f);
  EXPECT_FLOAT_EQ(sdkGetAverageTimerValue(&timer), total / 2);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(sdkGetTimerValue(&timer), total);
  sdkResetTimer(&timer);
  EXPECT_EQ(sdkGetTimerValue(&timer), 0.0f);
  sdkDeleteTimer(&timer);
  EXPECT_EQ(timer, nullptr);
}

TEST(HelperException, saysWhereItWasThrown) {
  try {
    RANGE_EXCEPTION("too far");
    FAIL();
  } catch (const std::range_error &error) {
    EXPECT_NE(std::string(error.what()).find("too far"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("helper_test.cpp"), std::string::npos);
  }
}

} // namespace
