extension Document {
  /// Takes the links and anchors from one start tag. Names are in lower case.
  mutating func note(tag: String, attributes: [String: String], line: Int) {
    if let id = attributes["id"], !id.isEmpty { anchors.insert(id) }
    if tag == "a", let name = attributes["name"], !name.isEmpty { anchors.insert(name) }

    switch tag {
    case "base":
      if base == nil { base = attributes["href"] }
    case "a", "area":
      note(attributes["href"], line: line)
    case "link":
      // These name a host to talk to, not a thing to load.
      let kinds = (attributes["rel"] ?? "").lowercased().split(separator: " ")
      if !kinds.contains("preconnect"), !kinds.contains("dns-prefetch") {
        note(attributes["href"], line: line)
      }
    case "img", "source", "video", "audio", "script", "iframe", "embed", "track", "input":
      note(attributes["src"], line: line)
      note(attributes["poster"], line: line)
      for candidate in Self.candidates(attributes["srcset"] ?? "") { note(candidate, line: line) }
    case "object":
      note(attributes["data"], line: line)
    default:
      break
    }
  }

  private mutating func note(_ link: String?, line: Int) {
    guard let link else { return }
    links.append(Link(text: link, line: line))
  }

  /// The URLs of a `srcset`: `a.png 1x, b.png 2x`.
  static func candidates(_ srcset: String) -> [String] {
    var candidates: [String] = []
    var rest = Substring(srcset)
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "," }
      guard !rest.isEmpty else { return candidates }
      // A comma inside the URL is part of it; one at its end separates.
      var url = rest.prefix { !$0.isWhitespace }
      rest = rest[url.endIndex...]
      if url.hasSuffix(",") {
        while url.hasSuffix(",") { url.removeLast() }
      } else {
        rest = rest.drop { $0 != "," }
      }
      candidates.append(String(url))
    }
  }
}
