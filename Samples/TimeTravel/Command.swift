import MillraceCollections

/// A line that the user types. Commands of one letter are keys; each is followed by Enter.
enum Command: Equatable, Sendable {
  case list(TimelineAction<ShoppingList.Action>)
  case help
  case quit
  case unknown(String)

  static let usage =
    "add tea, drop tea, find te; < and > step back and forth, to 3, live, branch; help, quit (or a, d, f, l, b, h, q)"

  init(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    let rest = words.dropFirst().joined(separator: " ")
    switch (words.first ?? "", rest) {
    case ("add", _) where !rest.isEmpty, ("a", _) where !rest.isEmpty: self = .list(.change(.added(rest)))
    case ("drop", _) where !rest.isEmpty, ("d", _) where !rest.isEmpty: self = .list(.change(.dropped(rest)))
    case ("find", _), ("f", _): self = .list(.change(.searched(rest)))
    case ("<", ""): self = .list(.back)
    case (">", ""): self = .list(.forward)
    case ("live", ""), ("l", ""): self = .list(.live)
    case ("branch", ""), ("b", ""): self = .list(.branch)
    case ("help", ""), ("h", ""): self = .help
    case ("quit", ""), ("q", ""): self = .quit
    case ("to", let step):
      if let step = Int(step) { self = .list(.to(step: step)) } else { self = .unknown(line) }
    default: self = .unknown(line)
    }
  }
}
