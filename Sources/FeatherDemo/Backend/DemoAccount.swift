/// The account that the demo uses by default. The password protects nothing, so it isn't a secret.
enum DemoAccount {
  static let user = "demo"
  static let password = "passme"
}
