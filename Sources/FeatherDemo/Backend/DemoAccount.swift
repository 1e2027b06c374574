/// The account that the demo uses by default. The password protects nothing, so it is no secret.
enum DemoAccount {
  static let user = "demo"
  static let password = "passme"
}
