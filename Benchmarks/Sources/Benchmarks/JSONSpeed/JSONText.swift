import Foundation
import RandomModels

/// Generates documents in the shapes of public ones. A fixed seed makes them the same each time.
enum JSONText {
  private static let words = [
    "the", "request", "of", "a", "server", "waits", "for", "its", "answer", "mañana", "東京", "cloud", "letter", "garden",
    "seven", "rivers", "and", "mountains", "😀", "late",
  ]

  static func word(_ random: inout JSONRandom) -> String { words[random.below(words.count)] }

  private static func text(_ count: Int, _ random: inout JSONRandom) -> String {
    (0..<count).map { _ in word(&random) }.joined(separator: " ") + (random.chance(1, in: 8) ? "\\n\\u00e9" : "")
  }

  private static func list(_ count: Int, _ random: inout JSONRandom, _ make: (inout JSONRandom) -> String) -> String {
    "[" + (0..<count).map { _ in make(&random) }.joined(separator: ",") + "]"
  }

  static func numbers(_ count: Int, _ make: (inout JSONRandom) -> String) -> String {
    var random = JSONRandom(seed: 5)
    return list(count, &random, make)
  }

  /// A coordinate as a map has it, with the digits of a `Double`.
  static func degree(_ random: inout JSONRandom) -> String { "\(Double(random.next() >> 11) * 0x1p-53 * 180 - 90)" }

  /// Makes a body of exactly this size by padding its last text.
  static func jokes(_ count: Int, bytes: Int) -> String {
    let texts = [
      "Why do Java developers wear glasses? No C sharp.", "It works on my machine, said the snowman.",
      "There is no place like 127.0.0.1, dear.", "I would tell you a UDP joke: \\\"hello?\\\"",
      "Two bytes meet. One of them is a bit off.", "My cache has a good memory, mostly.",
    ]
    func object(_ index: Int, _ text: String) -> String {
      "{\"id\":\(100 + index),\"joke\":\"\(text)\",\"categories\":[\"nerdy\"]}"
    }
    let head = "{\"type\":\"success\",\"value\":["
    let start = head + (0..<(count - 1)).map { object($0, texts[$0 % texts.count]) + "," }.joined()
    let missing = bytes - start.utf8.count - object(count - 1, "").utf8.count - "]}".utf8.count
    return start + object(count - 1, String(repeating: "h", count: max(0, missing))) + "]}"
  }

  static func timeline(_ count: Int) -> String {
    var random = JSONRandom(seed: 1)
    return "{\"statuses\": " + list(count, &random, message)
      + ", \"search_metadata\": {\"completed_in\": 0.087, \"count\": \(count), \"query\": \"%E4%B8%80\"}}"
  }

  private static func message(_ random: inout JSONRandom) -> String {
    let id = random.next() >> 4
    return """
      {
            "metadata": {"result_type": "recent", "iso_language_code": "ja"},
            "created_at": "Sun Aug 31 00:29:15 +0000 2014",
            "id": \(id), "id_str": "\(id)",
            "text": "\(text(14, &random))",
            "source": "<a href=\\"http://twitter.com/download/iphone\\" rel=\\"nofollow\\">Twitter for iPhone<\\/a>",
            "truncated": false,
            "in_reply_to_status_id": \(random.chance(1, in: 2) ? "null" : "\(id)"), "in_reply_to_user_id_str": null,
            "user": \(user(&random)),
            "geo": null, "coordinates": null, "place": null, "contributors": null,
            "retweet_count": \(random.below(500)), "favorite_count": \(random.below(50)),
            "entities": {"hashtags": \(list(random.below(3), &random, tag)), "symbols": [], "urls": [],
              "user_mentions": \(list(random.below(3), &random, mention))},
            "favorited": false, "retweeted": false, "lang": "ja"
          }
      """
  }

  private static func tag(_ random: inout JSONRandom) -> String {
    "{\"text\": \"\(word(&random))\", \"indices\": [\(random.below(100)), \(random.below(140))]}"
  }

  private static func mention(_ random: inout JSONRandom) -> String {
    let id = random.next() >> 32
    return
      "{\"screen_name\": \"\(word(&random))\", \"name\": \"\(text(2, &random))\", \"id\": \(id), \"id_str\": \"\(id)\", "
      + "\"indices\": [3, \(random.below(40))]}"
  }

  private static func user(_ random: inout JSONRandom) -> String {
    let id = random.next() >> 32
    let image = "http:\\/\\/pbs.twimg.com\\/profile_images\\/\(id)\\/normal.jpeg"
    return """
      {
              "id": \(id), "id_str": "\(id)", "name": "\(text(2, &random))", "screen_name": "ayuu0123",
              "location": "\(word(&random))", "description": "\(text(12, &random))",
              "url": null, "entities": {"description": {"urls": []}}, "protected": false,
              "followers_count": \(random.below(9999)), "friends_count": \(random.below(999)), "listed_count": 2,
              "created_at": "Thu Jul 26 15:28:15 +0000 2012", "favourites_count": \(random.below(999)),
              "utc_offset": null, "time_zone": null, "geo_enabled": false, "verified": false,
              "statuses_count": \(random.below(9999)), "lang": "ja", "contributors_enabled": false,
              "profile_background_color": "C0DEED", "profile_background_tile": false,
              "profile_image_url": "\(image)", "profile_image_url_https": "\(image)",
              "profile_link_color": "0084B4", "profile_use_background_image": true, "default_profile": true,
              "following": false, "follow_request_sent": false, "notifications": false
            }
      """
  }

  static func catalogue(_ count: Int) -> String {
    var random = JSONRandom(seed: 2)
    let areas = (0..<20).map { "\"\(205_705_993 + $0)\": \"\(text(3, &random))\"" }
    let events = (0..<count).map { index in
      """
      "\(138_586_341 + index)": {
            "description": null, "id": \(138_586_341 + index), "logo": "/images/UE0AAAAACEKo6QAAAAZDSVRN",
            "name": "\(text(5, &random))", "subTopicIds": [337184269, 337184283], "subjectCode": null, "subtitle": null,
            "topicIds": [324846099, 107888604]
          }
      """
    }
    return "{\n  \"areaNames\": {\(areas.joined(separator: ",\n    "))},\n  \"blockNames\": {},\n  \"events\": {"
      + events.joined(separator: ",\n    ") + "},\n  \"performances\": " + list(count, &random, performance) + "\n}"
  }

  private static func performance(_ random: inout JSONRandom) -> String {
    """
    {
          "eventId": \(random.below(1_000_000_000)), "id": \(random.below(1_000_000_000)), "logo": null, "name": null,
          "prices": \(list(3, &random) {
            "{\n  \"amount\": \($0.below(100_000)), \"audienceSubCategoryId\": 337100890, \"seatCategoryId\": 338937\($0.below(999))\n}"
          }),
          "seatCategories": \(list(3, &random) { random in
            "{\n  \"areas\": \(list(4, &random) { "{\n    \"areaId\": \($0.below(1_000_000_000)), \"blockIds\": []\n  }" }), "
              + "\"seatCategoryId\": 338937\(random.below(999))\n}"
          }),
          "seatMapImage": null, "start": \(1_372_701_600_000 + random.below(1_000_000_000)), "venueCode": "PLEYEL_PLEYEL"
        }
    """
  }

  static func outlines(_ count: Int) -> String {
    var random = JSONRandom(seed: 3)
    let rings = list(count, &random) { random in
      list(100 + random.below(100), &random) { "[\(degree(&$0)),\(degree(&$0))]" }
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"name\":\"Canada\"},"
      + "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":\(rings)}}]}"
  }

  static func sparse(_ count: Int) -> String {
    var random = JSONRandom(seed: 4)
    return list(count, &random) { random in
      var members = ["\"id\":\(random.below(99_999))"]
      if random.chance(1, in: 2) { members.append("\"title\":\"\(text(3, &random))\"") }
      if random.chance(1, in: 2) { members.append("\"rating\":\(random.below(50)).5") }
      if random.chance(1, in: 2) { members.append("\"count\":null") }
      if random.chance(1, in: 2) { members.append("\"isActive\":true") }
      if random.chance(1, in: 2) { members.append("\"created\":\(random.below(999_999_999))") }
      return "{\(members.joined(separator: ","))}"
    }
  }

  /// The settings that most services with repositories need.
  static var settings: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }

  static func repositories(_ count: Int) -> String {
    var random = JSONRandom(seed: 5)
    return list(count, &random) { random in
      let (id, name, owner) = (random.below(99_999_999), word(&random), word(&random))
      return """
        {"id":\(id),"full_name":"\(owner)/\(name)","html_url":"https://example.com/\(owner)/\(name)",
        "description":"\(text(6, &random))","is_private":false,"fork":false,"size":\(random.below(9999)),
        "owner":{"id":\(random.below(9999)),"login":"\(owner)","avatar_url":"https://example.com/\(owner).png",
        "gravatar_id":"","site_admin":false},
        "stargazers_count":\(random.below(9999)),"watchers_count":12,"open_issues_count":\(random.below(99)),
        "default_branch":"main","created_at":"2015-10-\(10 + random.below(20))T21:15:07Z"}
        """
    }
  }
}
