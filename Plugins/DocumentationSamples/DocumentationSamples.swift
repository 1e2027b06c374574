import Foundation
import PackagePlugin

/// Writes the tests of the documentation before they are compiled: `scripts/samples` puts the samples of the README and
/// of the articles into them. SwiftPM builds and runs the plugin for this package's own tests only.
@main struct DocumentationSamples: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = context.package.directoryURL
    let output = context.pluginWorkDirectoryURL
    let script = root.appending(path: "scripts/samples")
    let documents = try files(in: root.appending(path: "Sources"), ending: ".md") + [root.appending(path: "README.md")]
    let tests = try files(in: root.appending(path: "Tests/WebServicesTests/Documentation/Samples"), ending: ".swift")
    return [
      .buildCommand(
        displayName: "Putting the samples of the documentation into their tests", executable: URL(filePath: "/bin/sh"),
        arguments: [script.path, output.path], inputFiles: [script] + documents + tests,
        outputFiles: tests.map {
          output.appending(path: $0.deletingPathExtension().lastPathComponent + "+Samples.swift")
        })
    ]
  }

  private func files(in folder: URL, ending: String) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(ending) }.sorted()
      .map { folder.appending(path: $0) }
  }
}
