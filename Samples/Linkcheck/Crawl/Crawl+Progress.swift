import LinkcheckReaders

extension Crawl.State {
  /// Whether every address has been checked.
  var isFinished: Bool {
    phase == .running && waiting.isEmpty && loading.isEmpty && bodies.isEmpty && delayed.isEmpty
  }

  /// The reason, for people, why there was nothing to check: there is no page at the start. `nil` if there is one.
  var failure: String? {
    if case .failed(let message) = phase { return message }
    guard isFinished, !hasPage else { return nil }
    let start = scope.start.isFile ? FilePath.text(scope.start.filePath) : scope.start.text
    if scope.kind == .folder {
      // Pages that could not be read for another reason are in the report.
      guard findings.contains(where: { scope.contains($0.key) && !$0.value.isTrouble }) else { return nil }
      let isLarge = findings.values.contains(.oversized(limit: settings.largestPage))
      let reason =
        isLarge
        ? "is larger than \(ByteCount(settings.largestPage))" : "is in an encoding that is unknown here"
      return "cannot check \(start): each page \(reason), not read"
    }
    switch verdict(on: scope.start) {
    case .broken(let trouble): return "cannot read \(start): \(trouble.message)"
    case .unchecked(_, let message): return "cannot check \(start): \(message)"
    case .good: return "not a page of HTML or Markdown: \(start)"
    }
  }

  /// Whether a page of the scope has been read.
  var hasPage: Bool {
    findings.contains {
      if case .page(let page) = $0.value { page.markup.isPage && scope.contains($0.key) } else { false }
    }
  }

  /// Whether storing a finding saves work after an interruption. A finding about a file does not: files are quick to read,
  /// and may have been repaired meanwhile. Nor does one that needs a password, unless it is that of the first address:
  /// other passwords are unknown after a restart.
  func isWorthKeeping(_ address: Address) -> Bool {
    let others =
      switch findings[address] {
      case .page(let page): page.targets
      case .redirect(let target): [target]
      default: [Address]()
      }
    return !address.isFile
      && (others + [address]).allSatisfy {
        $0.origin == scope.start.origin || Password.hidden(in: $0.text) == $0.text
      }
  }

  /// The number of known addresses.
  var knownCount: Int { known.count }

  /// Whether each known address is in one place, and at most `jobs` of them are in progress.
  var isConsistent: Bool {
    let places = [
      Set(waiting.map(\.address)), Set(loading.keys), Set(bodies.keys), Set(delayed.keys), Set(findings.keys),
    ]
    return places.reduce(0) { $0 + $1.count } == known.count
      && places.reduce(Set()) { $0.union($1) } == known && loading.count + bodies.count <= settings.jobs
  }
}
