/// The version of the library. The user agent and the demo's `--version` show it, and `scripts/release` compares it
/// with the CHANGELOG.
package enum Version {
  package static let current = "1.0.0-beta.1"
}
