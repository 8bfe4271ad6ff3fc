import LinkcheckReaders

/// Whether a link works.
enum Verdict: Equatable {
  case good
  case broken(Trouble)
  /// The page at the address was not read.
  case unchecked(Address, String)
}

extension Crawl.State {
  /// Judges an address, or a link to it. Follows redirects to their end.
  func verdict(on address: Address, for link: Page.Link? = nil) -> Verdict {
    var next = address
    var passed: Set<Address> = []
    while passed.count < Self.mostRedirects {
      guard passed.insert(next).inserted else { return .broken(Trouble(.redirect, "redirects in a circle")) }
      switch findings[next] {
      case .page(let page):
        guard let link, !page.hasAnchor(for: link) else { return .good }
        return .broken(Trouble(.anchor, "no #\(link.fragment) on the page"))
      case .exists: return .good
      case .redirect(let target):
        // A redirect to another site is not followed if such sites are skipped.
        if isSkipped(target) { return .good }
        next = target
      case .oversized(let limit): return .unchecked(next, "larger than \(ByteCount(limit)), not read")
      case .unreadable(let encoding): return .unchecked(next, "in the encoding \(encoding), not read")
      case .trouble(.methodNotAllowed) where link?.use == .posting: return .good
      case .trouble(let trouble):
        guard next != address else { return .broken(trouble) }
        return .broken(Trouble(trouble.kind, "\(trouble.message), after a redirect to \(next)"))
      case nil where next == address: return .unchecked(next, "not looked at")
      // The target of a redirect is checked, too, unless there are too many in a row.
      case nil: return tooManyRedirects
      }
    }
    return tooManyRedirects
  }

  private var tooManyRedirects: Verdict {
    .broken(Trouble(.redirect, "more than \(Self.mostRedirects) redirects"))
  }
}

/// A number of bytes, for people.
struct ByteCount: CustomStringConvertible {
  private let bytes: Int

  init(_ bytes: Int) { self.bytes = bytes }

  var description: String {
    for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] where bytes >= 1 << shift {
      return bytes % (1 << shift) == 0 ? "\(bytes >> shift) \(unit)" : "\(bytes) bytes"
    }
    return "\(bytes) bytes"
  }
}
