/// The source files that the tests and the samples are compiled from.
struct CompiledSource: Sendable {
  private let files: [[String]]
  /// For each line, where it occurs.
  private let places: [String: [Place]]

  private struct Place {
    let file: Int
    let line: Int
  }

  init(_ texts: [String]) {
    files = texts.map(\.normalisedLines)
    var places: [String: [Place]] = [:]
    for (file, lines) in files.enumerated() {
      for (line, text) in lines.enumerated() {
        places[text, default: []].append(Place(file: file, line: line))
      }
    }
    self.places = places
  }

  /// Whether the lines occur in one file, one after the other.
  func contains(_ lines: [String]) -> Bool {
    guard let first = lines.first else { return true }
    return places[first, default: []].contains { place in
      files[place.file][place.line...].starts(with: lines)
    }
  }
}
