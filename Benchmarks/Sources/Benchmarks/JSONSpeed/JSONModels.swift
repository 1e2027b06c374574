import Foundation

// The models that decoders make of the documents of `JSONText`, such as `JSONText.jokes`.

struct Jokes: Decodable {
  struct Joke: Decodable {
    var id: Int
    var joke: String
    var categories: [String]
  }

  var type: String
  var value: [Joke]
}

struct Timeline: Decodable {
  struct Message: Decodable {
    var created_at: String
    var id: Int
    var id_str: String
    var text: String
    var source: String
    var truncated: Bool
    var in_reply_to_status_id: Int?
    var user: User
    var retweet_count: Int
    var favorite_count: Int
    var entities: Entities
    var favorited: Bool
    var lang: String
  }

  struct User: Decodable {
    var id: Int
    var name: String
    var screen_name: String
    var location: String
    var description: String
    var url: String?
    var protected: Bool
    var followers_count: Int
    var friends_count: Int
    var statuses_count: Int
    var created_at: String
    var verified: Bool
    var lang: String
    var profile_background_color: String
    var profile_image_url: String
    var following: Bool
  }

  struct Entities: Decodable {
    struct Mention: Decodable {
      var screen_name: String
      var name: String
      var id: Int
      var indices: [Int]
    }

    struct Tag: Decodable {
      var text: String
      var indices: [Int]
    }

    var hashtags: [Tag]
    var user_mentions: [Mention]
  }

  var statuses: [Message]
}

struct Catalogue: Decodable {
  struct Event: Decodable {
    var id: Int
    var name: String
    var description: String?
    var logo: String?
    var subTopicIds: [Int]
    var subjectCode: Int?
    var topicIds: [Int]
  }

  struct Performance: Decodable {
    struct Price: Decodable {
      var amount: Int
      var audienceSubCategoryId: Int
      var seatCategoryId: Int
    }

    struct SeatCategory: Decodable {
      struct Area: Decodable {
        var areaId: Int
        var blockIds: [Int]
      }

      var areas: [Area]
      var seatCategoryId: Int
    }

    var eventId: Int
    var id: Int
    var name: String?
    var prices: [Price]
    var seatCategories: [SeatCategory]
    var start: Int
    var venueCode: String
  }

  var areaNames: [String: String]
  var events: [String: Event]
  var performances: [Performance]
}

struct Outlines: Decodable {
  struct Feature: Decodable {
    struct Geometry: Decodable {
      var type: String
      var coordinates: [[[Double]]]
    }

    var type: String
    var properties: [String: String]
    var geometry: Geometry
  }

  var type: String
  var features: [Feature]
}

struct Sparse: Decodable {
  var id: Int
  var title: String?
  var subtitle: String?
  var rating: Double?
  var count: Int?
  var isActive: Bool?
  var created: Date?
  var parent: Int?
  var note: String?
}

/// Its members are `full_name` and so on in the document.
struct Repository: Decodable {
  struct Owner: Decodable {
    var id: Int
    var login: String
    var avatarUrl: String
  }

  var id: Int
  var fullName: String
  var htmlUrl: String
  var description: String?
  var isPrivate: Bool
  var owner: Owner
  var stargazersCount: Int
  var openIssuesCount: Int
  var defaultBranch: String
  var createdAt: Date
}

/// Numbers, among elements or members that aren't. Each of these costs an error, which must know its place.
struct Lossy: Decodable {
  private struct Skipped: Decodable {
    init(from decoder: any Decoder) throws {}
  }

  var numbers: [Int] = []

  init(from decoder: any Decoder) throws {
    if var elements = try? decoder.unkeyedContainer() {
      while !elements.isAtEnd {
        if let number = try? elements.decode(Int.self) {
          numbers.append(number)
        } else {
          _ = try elements.decode(Skipped.self)
        }
      }
    } else {
      let members = try decoder.container(keyedBy: Name.self)
      numbers = members.allKeys.compactMap { try? members.decode(Int.self, forKey: $0) }
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
