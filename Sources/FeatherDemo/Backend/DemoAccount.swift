/// The account that the demo uses when it is told no other. It guards nothing and is no secret.
enum DemoAccount {
  static let user = "demo"
  static let password = "passme"
}
