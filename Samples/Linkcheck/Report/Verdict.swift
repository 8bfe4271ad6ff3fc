/// Whether a link leads somewhere.
enum Verdict: Equatable {
  case good
  case broken(Trouble)
  case unchecked(String)
}

extension Crawl.State {
  /// Judges a link to a place in what is at an address. Redirects are followed as far as they lead.
  func verdict(on address: Address, fragment: String) -> Verdict {
    var next = address
    var passed: Set<Address> = []
    while passed.count < 20 {
      guard passed.insert(next).inserted else { return .broken(Trouble(.redirect, "redirects in a circle")) }
      switch findings[next] {
      case .page(let document):
        if document.hasAnchor(fragment) { return .good }
        return .broken(Trouble(.anchor, "no #\(fragment) on the page"))
      case .exists: return .good
      case .redirect(let target):
        // A redirect to another site is not followed there when those are left alone.
        if isSkipped(target) { return .good }
        next = target
      case .oversized(let limit): return .unchecked("larger than \(ByteCount(limit)), not read")
      case .trouble(let trouble):
        guard next != address else { return .broken(trouble) }
        return .broken(Trouble(trouble.kind, "\(trouble.message), after a redirect to \(next)"))
      case nil: return .unchecked("not looked at")
      }
    }
    return .broken(Trouble(.redirect, "more than 20 redirects"))
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
