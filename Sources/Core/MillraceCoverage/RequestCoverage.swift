import Foundation

/// The requests and outcomes of all effects that tests connected. Kept in a file with a line for each test store;
/// several processes may append to it.
package struct RequestCoverage: Codable, Sendable, Equatable {
  package private(set) var effects: [EffectCoverage] = []

  package init() {}

  /// An effect was connected, possibly not for the first time. Adds what was already seen of it elsewhere.
  package mutating func connected(_ effect: EffectCoverage) {
    if let index = index(of: effect) { effects[index].merge(effect) } else { effects.append(effect) }
  }

  /// Changes the coverage of one kind of requests of a connected effect.
  package mutating func change(
    _ effect: EffectCoverage, _ kind: String, _ body: (inout KindCoverage) -> Void
  ) {
    guard let index = index(of: effect) else { return }
    effects[index].change(kind, body)
  }

  package mutating func merge(_ other: RequestCoverage) {
    for effect in other.effects { connected(effect) }
  }

  private func index(of effect: EffectCoverage) -> Int? {
    effects.firstIndex { ($0.effect, $0.request, $0.place) == (effect.effect, effect.request, effect.place) }
  }

  /// Each effect with its outcomes and the missing ones, by name, then the number of missing outcomes.
  package var report: String {
    let sorted = effects.sorted {
      ($0.effect, $0.place ?? "", $0.request) < ($1.effect, $1.place ?? "", $1.request)
    }
    let missing = sorted.reduce(0) { $0 + $1.missing.count }
    return
      (sorted.map(\.text) + [
        "\(sorted.count) effect\(sorted.count == 1 ? "" : "s"), \(missing) outcome\(missing == 1 ? "" : "s") that no test produced"
      ])
      .joined(separator: "\n")
  }

  // MARK: The file

  /// Appends a line to a file in a single write, so that lines of several processes do not mix.
  package func append(toFile path: String) throws {
    var line = try JSONEncoder().encode(self)
    line.append(UInt8(ascii: "\n"))
    guard let file = fopen(path, "a") else {
      throw CoverageFileError(description: "\(path): \(Self.reason)")
    }
    defer { fclose(file) }
    setvbuf(file, nil, Int32(_IOFBF), line.count + 1)
    let written = line.withUnsafeBytes { fwrite($0.baseAddress, 1, line.count, file) }  // within the call
    if written < line.count || fflush(file) != 0 {
      throw CoverageFileError(description: "\(path): \(Self.reason)")
    }
  }

  /// Merges all lines of a file.
  package init(contentsOfFile path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CoverageFileError(description: "\(path): cannot be read")
    }
    for (index, line) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let coverage = try? JSONDecoder().decode(RequestCoverage.self, from: line) else {
        throw CoverageFileError(
          description: "\(path), line \(index + 1): is not a record of request coverage")
      }
      merge(coverage)
    }
  }

  private static var reason: String { String(cString: strerror(errno)) }
}

/// The reason why a file of request coverage cannot be used.
package struct CoverageFileError: Error, CustomStringConvertible {
  /// The path, the line if the problem concerns one, counted from 1 without empty lines, and the problem.
  package let description: String
}
