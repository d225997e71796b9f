// freqstore: the command line.

#include <cstdio>
#include <iostream>
#include <map>
#include <string>

#include "client/cli/command.h"
#include "fmt/core.h"

namespace freqstore::cli {
namespace {

constexpr const char* kFooter =
    R"(Exit codes: 0 done, 1 failed or partly failed, 2 wrong usage. Messages and progress go to stderr, results
to stdout, so that they can be piped: --format jsonl prints a line an image.

A first session:
  freqstored --data-dir ~/freqstore &
  freqstore dataset create photos
  freqstore import photos ~/Pictures --recursive --attributes labels.tsv
  freqstore model register mobilenet mobilenet.onnx --preset mobilenet --labels labels.txt
  freqstore infer photos --model mobilenet --top 5 --filter 'label = dog AND width >= 512'
  freqstore explain photos --model mobilenet --analyze)";

int Main(int argc, char** argv) {
  CLI::App app("freqstore: images in columns, for models", "freqstore");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", "freqstore " FREQSTORE_VERSION);
  app.fallthrough();

  Globals globals;
  app.add_option("--server", globals.server, "Address of the server")
      ->envname("FREQSTORE_SERVER")
      ->capture_default_str();
  const std::map<std::string, Format> formats = {
      {"table", Format::kTable}, {"json", Format::kJson}, {"jsonl", Format::kJsonl}};
  app.add_option("--format", globals.format, "table, json or jsonl")
      ->transform(CLI::CheckedTransformer(formats, CLI::ignore_case).description(""))
      ->default_str("table");

  Run run;
  AddDatasetCommands(app, globals, run);
  AddImportCommand(app, globals, run);
  AddExportCommand(app, globals, run);
  AddImageCommands(app, globals, run);
  AddModelCommands(app, globals, run);
  AddInferCommand(app, globals, run);
  AddScanCommand(app, globals, run);
  AddExplainCommand(app, globals, run);
  AddAdminCommands(app, globals, run);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? kExitDone : kExitUsage;
  }
  // Who reads lines wants each when it is there.
  if (globals.format == Format::kJsonl) std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  try {
    return run();
  } catch (const UsageError& error) {
    fmt::print(stderr, "{}", ErrorText(error));
    return kExitUsage;
  } catch (const CommandError& error) {
    fmt::print(stderr, "{}", ErrorText(error));
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
  }
  return kExitFailed;
}

}  // namespace
}  // namespace freqstore::cli

int main(int argc, char** argv) {
  return freqstore::cli::Main(argc, argv);
}
