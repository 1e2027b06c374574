import Foundation
import WebServices

extension Subject {
  /// The functions that describe requests and responses in words.
  static let descriptions: [Subject] = [
    Subject("Redaction.text", samples: secretSamples + jsonSamples, words: secretWords) { input in
      _ = Redaction.standard.text(input.text)
    },
    Subject("Redaction.url", samples: urlSamples, words: secretWords) { input in
      _ = Redaction.standard.url(input.text)
    },
    Subject("Redaction.body", samples: secretSamples + jsonSamples, words: secretWords) { input in
      _ = Redaction.standard.body(input.data)
      let headers: HTTPHeaders = ["Authorization": input.text, "X-Api-Key": input.text, "Accept": input.text]
      _ = Redaction.standard.headers(headers)
    },
    Subject(
      "CurlCommand", weight: 5, samples: secretSamples + urlSamples, words: secretWords + ["'", "$(x)", "`", "!"]
    ) { input in
      guard let url = URL(string: input.text) ?? URL(string: "https://api.example.com/login?token=abc") else { return }
      let name = input.chance.pick(["Authorization", "Cookie", "X-Text", "Content-Type"]) ?? "X-Text"
      let body = input.chance.pick([TransportBody.none, .data(input.data), .file(url)]) ?? .none
      let request = TransportRequest(
        method: HTTPMethod(rawValue: input.chance.once(in: 3) ? input.text : "POST"), url: url,
        headers: [name: input.text],
        body: body)
      let command = CurlCommand(request)
      let (hidden, revealed) = (command.description, command.revealingSecrets())
      try Finding.check(hidden.contains("curl ") && revealed.contains("curl "), "the command is \(revealed)")
    },
  ]

  private static let urlSamples = [
    "https://user:pw@api.example.com/a?token=abc&x=1#access_token=z", "?password=1&&a=b", "//u@h", "file:///etc/passwd",
    "https://api.example.com/reset/abc?signature=%41%zz", "https://[::1]:80/?api_key=",
  ]
  private static let secretSamples = [
    "{\"password\": \"hidden\", \"nested\": {\"accessToken\": [\"a\", 1]}, \"note\": \"token=abc&x=1\"}",
    "password=hidden&user=ada&api_key=a%20b", "<login><password kind='x'>hidden</password></login>",
    "--edge\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhidden\r\n--edge--\r\n",
    "Bearer abc.def.ghi at https://user:pw@host/x?token=1 and {\\\"secret\\\":\\\"x\\\"}",
  ]
  private static let secretWords = [
    "password", "\"password\":", "token=", "secret", "://", "@", "user:pw@", "\\\"", "&", "<password>", "</", "name=\"",
    "\r\n\r\n", "--edge", "Authorization: ", "Bearer ", "%3D", "\\u0022",
  ]
}
