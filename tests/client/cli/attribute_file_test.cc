#include "client/cli/attribute_file.h"

#include <fstream>

#include <catch2/catch_test_macros.hpp>

#include "tests/testutil/temp_folder.h"

namespace freqstore::cli {
namespace {

/// Writes files, and reads them as attributes.
class AttributeFiles {
 public:
  AttributeFile Read(const std::string& name, const std::string& content,
                     const KnownAttributes& known = {}) const {
    const std::string path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << content;
    return AttributeFile(path, known);
  }

  /// The message of the error that this content is, without the folder.
  std::string ErrorOf(const std::string& name, const std::string& content,
                      const KnownAttributes& known = {}) const {
    try {
      (void)Read(name, content, known);
    } catch (const UsageError& error) {
      const std::string message = error.what();
      return message.substr(message.find(name));
    }
    return "no error";
  }

 private:
  testutil::TempFolder folder_;
};

std::string Dump(const AttributeFile::Attributes& values) {
  Json json = Json::object();
  for (const auto& [name, value] : std::map(values.begin(), values.end())) json[name] = ToJson(value);
  return json.dump();
}

std::string ValuesOf(const AttributeFile& file, const std::string& image_id) {
  const AttributeRow* row = file.Find(image_id);
  return row == nullptr ? "none" : Dump(file.ValuesOf(*row));
}

TEST_CASE("a TSV file gives attributes, whose types it shows") {
  const AttributeFile file =
      AttributeFiles().Read("a.tsv",
                            "\xef\xbb\xbfimage\tlabel\tcount\tscore\tgood\ttaken\tcode:string\r\n"
                            "cats/1.jpg\tcat\t1\t0.5\ttrue\t2026-01-31\t007\r\n"
                            "\r\n"
                            "dogs/2.jpg\tdog\t2\t1\tfalse\t2026-01-31T12:00:00Z\t\n"
                            "3.jpg\t\t\t\t\t\t8");
  REQUIRE(file.rows().size() == 3);
  REQUIRE(ValuesOf(file, "cats/1.jpg") ==
          R"({"code":"007","count":1,"good":true,"label":"cat","score":0.5,"taken":"2026-01-31T00:00:00Z"})");
  REQUIRE(ValuesOf(file, "dogs/2.jpg") ==
          R"({"count":2,"good":false,"label":"dog","score":1.0,"taken":"2026-01-31T12:00:00Z"})");
  REQUIRE(ValuesOf(file, "3.jpg") == R"({"code":"8"})");
  REQUIRE(ValuesOf(file, "4.jpg") == "none");
}

TEST_CASE("a file of JSON lines does, too") {
  const AttributeFile file = AttributeFiles().Read(
      "a.jsonl",
      R"({"image": "1", "label": "12", "count": 1, "score": 2, "good": true, "taken": "2026-01-31", "when:timestamp": "2026-01-31"}
{"count": 5, "image": "2", "label": null, "score": 0.5, "when": "2026-02-01"}
)");
  REQUIRE(
      ValuesOf(file, "1") ==
      R"({"count":1,"good":true,"label":"12","score":2.0,"taken":"2026-01-31T00:00:00Z","when":"2026-01-31T00:00:00Z"})");
  REQUIRE(ValuesOf(file, "2") == R"({"count":5,"score":0.5,"when":"2026-02-01T00:00:00Z"})");
}

TEST_CASE("what a file says an image does not have is taken away, what it does not mention is not") {
  const AttributeFiles files;
  const AttributeFile json = files.Read("a.jsonl", R"({"image": "1", "a": null, "b": 1})"
                                                   "\n"
                                                   R"({"image": "2", "c": "x"})");
  REQUIRE(Dump(json.ChangesOf(json.rows()[0])) == R"({"a":null,"b":1})");
  REQUIRE(Dump(json.ChangesOf(json.rows()[1])) == R"({"c":"x"})");
  const AttributeFile tsv = files.Read("a.tsv", "id\ta\tb\n1\t\tx\n");
  REQUIRE(Dump(tsv.ChangesOf(tsv.rows()[0])) == R"({"a":null,"b":"x"})");
}

TEST_CASE("types that the dataset gives stand") {
  const AttributeFiles files;
  const KnownAttributes known = {{"code", v1::ATTRIBUTE_TYPE_STRING}, {"score", v1::ATTRIBUTE_TYPE_DOUBLE}};
  REQUIRE(ValuesOf(files.Read("a.tsv", "id\tcode\tscore:integer\n1\t12\t3\n", known), "1") ==
          R"({"code":"12","score":3.0})");
  REQUIRE(files.ErrorOf("a.tsv", "id\tscore\n1\tx\n", known) ==
          "a.tsv:2: attribute 'score': 'x' is not a number");
  REQUIRE(files.ErrorOf("a.tsv", "id\tcode:bool\n1\ttrue\n", known) ==
          "a.tsv: attribute 'code' is given as bool; in the dataset it is string");
}

TEST_CASE("errors of TSV name the line") {
  const AttributeFiles files;
  const auto error = [&](const std::string& content) { return files.ErrorOf("a.tsv", content); };
  REQUIRE(error("") == "a.tsv has no line about an image");
  REQUIRE(error("id\ta\n") == "a.tsv has no line about an image");
  REQUIRE(error("id,a\n1,2\n").starts_with("a.tsv:1: the header has one column"));
  REQUIRE(error("id\ta\ta:bool\n1\t2\t3\n").starts_with("a.tsv:1: column 'a:bool' is there twice"));
  REQUIRE(error("id\twidth\n1\t2\n").starts_with("a.tsv:1: every image has 'width'"));
  REQUIRE(error("id\ta\n1\t2\n\n1\t3\n") == "a.tsv:4: '1' is in line 2 already");
  REQUIRE(error("id\ta\n1\n") == "a.tsv:2: the line has 1 cells, the header 2");
  REQUIRE(error("id\ta\n1\t2\t3\n") == "a.tsv:2: the line has 3 cells, the header 2");
  REQUIRE(error("id\ta\n\t2\n") == "a.tsv:2: the image's id is empty");
  REQUIRE(error("id\ta\n\xff\t2\n") == "a.tsv:2: the image's id is not UTF-8");
  REQUIRE(error("id\ta:integer\n1\t2\n2\tx\n") == "a.tsv:3: attribute 'a': 'x' is not an integer of 64 bits");
  REQUIRE(error("id\ta\n1\t" + std::string(4097, 'x') + "\n")
              .starts_with("a.tsv:2: attribute 'a': a text of 4097"));
}

TEST_CASE("errors of JSON lines name the line") {
  const AttributeFiles files;
  const auto error = [&](const std::string& content) { return files.ErrorOf("a.jsonl", content); };
  REQUIRE(error("{\"image\": \"1\"}\n{").starts_with("a.jsonl:2: the line is not JSON"));
  REQUIRE(error("[]") == "a.jsonl:1: the line is not a JSON object");
  REQUIRE(error(R"({"a": 1})").starts_with("a.jsonl:1: the object has no text \"image\""));
  REQUIRE(error(R"({"image": 1})").starts_with("a.jsonl:1: the object has no text \"image\""));
  REQUIRE(error(R"({"image": "1", "a": [1]})").starts_with("a.jsonl:1: \"a\" is an object or an array"));
  REQUIRE(error(R"({"image": "1", "a": 1, "a:double": 1})")
              .starts_with("a.jsonl:1: \"a:double\" is there twice"));
  REQUIRE(error("{\"image\": \"1\", \"a:bool\": true}\n{\"image\": \"2\", \"a:string\": \"x\"}") ==
          "a.jsonl:2: attribute 'a' is given as bool and as string");
}

TEST_CASE("a file that is not there is no wrong usage") {
  REQUIRE_THROWS_AS(AttributeFile("/nowhere/a.tsv", {}), CommandError);
}

}  // namespace
}  // namespace freqstore::cli
