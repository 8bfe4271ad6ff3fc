import MillraceSpelling

/// The last links of a suspiciously long chain of runs, until one connection occurs again. Pure.
struct LoopTrail {
  /// One run of the chain: the action that started it, and its connection and request. They are kept as values, since
  /// describing them may take long.
  struct Link {
    let connection: UInt64
    let action: any Sendable
    let slice: String
    let name: String
    let request: any Sendable

    var text: String { "\(Spelling.text(of: action)) → \(slice) → \(name)(\(Spelling.text(of: request)))" }
  }

  private(set) var links: [Link] = []

  /// The chain has got another run.
  ///
  /// - Returns: the cycle since the last run of this connection; `nil` if it had none.
  mutating func runStarted(_ link: Link) -> [Link]? {
    defer { links.append(link) }
    guard let first = links.firstIndex(where: { $0.connection == link.connection }) else { return nil }
    return links[(first + 1)...] + [link]
  }
}
