/// A start tag of HTML, with the attributes that may concern links.
struct HTMLTag {
  /// The name in lower case.
  var name: String
  var line: Int
  /// Whether the tag is inside a picture (`svg`) or a formula (`math`).
  var isForeign = false
  var attributes: [(name: String, value: String)] = []

  subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  /// Adds an attribute. Of two with the same name, the first counts.
  mutating func note(_ name: String, _ value: ArraySlice<UInt8>) {
    guard Self.ofInterest.contains(name), self[name] == nil else { return }
    attributes.append(
      (name, CharacterReferences.decoded(String(decoding: value, as: UTF8.self), in: .attribute)))
  }

  private static let ofInterest: Set<String> = [
    "id", "name", "href", "xlink:href", "src", "srcset", "imagesrcset", "poster", "data", "action",
    "formaction",
    "method", "formmethod", "rel", "style", "content", "http-equiv", "background", "cite", "longdesc",
  ]
}

extension Document {
  /// Adds the links and anchors of a start tag.
  mutating func note(_ tag: HTMLTag) {
    if let id = tag["id"], !id.isEmpty { anchors.insert(Fragment(id)) }
    if tag.name == "a", let name = tag["name"], !name.isEmpty { anchors.insert(Fragment(name)) }
    if let style = tag["style"] { links += StyleSheet.links(in: style.utf8, line: tag.line) }

    switch tag.name {
    case "base":
      if base == nil { base = tag["href"] }
    case "a", "area":
      note(tag["href"] ?? tag["xlink:href"], line: tag.line)
    case "link":
      // These name a host to connect to, not a file to load.
      let kinds = (tag["rel"] ?? "").lowercased().split(separator: " ")
      if !kinds.contains("preconnect"), !kinds.contains("dns-prefetch") { note(tag["href"], line: tag.line) }
      note(candidates: tag["imagesrcset"], line: tag.line)
    case "img", "source", "video", "audio", "script", "iframe", "frame", "embed", "track", "input":
      note(tag["src"], line: tag.line)
      note(tag["poster"], line: tag.line)
      note(candidates: tag["srcset"], line: tag.line)
      if tag.name != "embed", tag.name != "track" { note(tag["longdesc"], line: tag.line) }
      if tag.name == "script" { note(tag["href"] ?? tag["xlink:href"], line: tag.line) }
    case "object":
      note(tag["data"], line: tag.line)
    case "form":
      note(submission: tag["action"], method: tag["method"] ?? "get", line: tag.line)
    case "body", "table", "td", "th":
      note(tag["background"], line: tag.line)
    case "blockquote", "q", "ins", "del":
      note(tag["cite"], line: tag.line)
    case "meta":
      if tag["http-equiv"]?.lowercased() == "refresh" {
        note(Self.refresh(tag["content"] ?? ""), line: tag.line)
      }
    case "use", "image", "feimage", "textpath", "mpath", "pattern", "filter", "lineargradient",
      "radialgradient":
      if tag.isForeign { note(tag["href"] ?? tag["xlink:href"], line: tag.line) }
    default:
      break
    }
    if tag.name == "button" || tag.name == "input" {
      note(submission: tag["formaction"], method: tag["formmethod"], line: tag.line)
    }
  }

  /// Adds the target of a form or button. A button without a method uses that of its form, which is not known here.
  private mutating func note(submission link: String?, method: String?, line: Int) {
    // An empty action means the page itself.
    guard let link, !link.isEmpty, method?.lowercased() != "dialog" else { return }
    note(link, line: line, use: method?.lowercased() == "get" ? .reference : .posting)
  }

  private mutating func note(candidates srcset: String?, line: Int) {
    for candidate in Self.candidates(srcset ?? "") { note(candidate, line: line) }
  }

  /// The URLs of a `srcset`: `a.png 1x, b.png 2x`.
  static func candidates(_ srcset: String) -> [String] {
    var candidates: [String] = []
    var rest = Substring(srcset).utf8
    while true {
      rest = rest.drop { ASCII.isSpace($0) || $0 == UInt8(ascii: ",") }
      guard !rest.isEmpty else { return candidates }
      // A comma inside a URL is part of it; a comma at its end is a separator.
      var url = rest.prefix { !ASCII.isSpace($0) }
      rest = rest[url.endIndex...]
      if url.last == UInt8(ascii: ",") {
        while url.last == UInt8(ascii: ",") { url.removeLast() }
      } else {
        rest = rest.drop { $0 != UInt8(ascii: ",") }
      }
      candidates.append(String(Substring(url)))
    }
  }

  /// The URL of a refresh: `5; url=next.html`.
  static func refresh(_ content: String) -> String? {
    guard
      let match = content.firstMatch(
        of: /^\s*[0-9.]*\s*[;,\s]\s*(?i:url\s*=\s*)?(["']?)(.*)$/.dotMatchesNewlines())
    else { return nil }
    var url = match.2
    if let quote = match.1.first { url = url.prefix { $0 != quote } }
    let text = url.trimmed
    return text.isEmpty ? nil : text
  }
}
