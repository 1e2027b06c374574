import WebServicesTestSupport
#if os(Linux)
  /// Compressed content in formats that the tests' server can't make.
  enum CodedContent {
    /// The text `feather 0 feather 1 …`, up to 399.
    static let text = Data((0..<400).map { "feather \($0) " }.joined().utf8)

    /// The text in brotli.
    static let brotli = decoded(
      """
      G1ES+I3UTnfzp8qwMjMdHJIG2F6HCjsBT3Vw8ZVfmxS52BagAAUm8pwhvNXVME7zstnu9h80ACJMGJbbhw0gwoRhuX3UACJMGJbb\
      xw0gwoRhuX3SACJMGJbbZxpAhAnDcvtsA4gwYVhun2sAESYMy+3zDSDChGG5/R/dCqm0cVyPL1pIpY3jenzZQiptHNfjqxZSaeO4\
      Hl+3kEobx/X4poVU2jiux3daSKWN43p8t4VU2jiux/daSKWN43p8v4VU2jiutz/ZLaTSxnE9vmghlTaO6/FlC6m0cVyPr1pIpY3j\
      enzdQiptHNfjmxZSaeO4Ht9pIZU2juvx3RZSaeO4Ht9rIZU2juvx/RZSaeO43v5Ut5BKG8f1+KKFVNo4rseXLaTSxnE9vmohlTaO\
      6/F1C6m0cVyPb1pIpY3jenynhVTaOK7Hd1tIpY3jenyvhVTaOK7H91tIpY3jevcL
      """)

    /// The text in zstd.
    static let zstd = decoded(
      """
      KLUv/WBSER0LAOZaNhKwpZADdJsJHqYn7YqIlK8IA04zADAALwD/////zMzMzIyIiIiIiG3btt22bduSJEmS27ZtmyRJkhQRERER\
      H3E5xSAMCAIGCgACBAJBQUFB/////8zMzMyMiIiIiIht27bdtm3bkiRJktu2bZskSZIUERERESGEEEIIIURhYWH/////zMzMzIyI\
      iIiIiG3btt22bduSJEmS27ZtmyRJkhQRERERERQUFBQUFIP/////MzMzMzMiIiIiIrZt23bbtm1LkiRJbtu2bZIkSVJERERERFhY\
      WFhYWFiBj6gh8O4ZsSel1QYRnCBIfgyvODOjZGSMjJJh6B/9k7/0T/aXGROjYmRMjApcofzJn/6S/6KYmROjYmJMjI2zp6AWtfVK\
      /Z/+o//O/+Z/+T/5P/5X8TfXV1fX11fXV9dX11fXV9dX11fXwzEVpnppl95SWepKq3QzpVBkXVfruq5Xb1UK+FU=
      """)

    private static func decoded(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }
  }
#endif
