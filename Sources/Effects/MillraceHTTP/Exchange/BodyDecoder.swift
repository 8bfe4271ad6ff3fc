import Foundation

/// Decodes a body that arrives in parts. Used by one task at a time.
///
/// The input is decoded one part at a time, when the next part is asked for. So a small body that becomes a huge one
/// needs no more memory than one part for each step.
struct BodyDecoder: ~Copyable {
  /// The largest number of bytes that deflate makes of one. A body whose inner steps exceed this ratio is rejected.
  private static let mostGrowth = 1_032

  private var unknown: String?
  /// The steps, with the one that the server applied last as the first.
  private var inflations: [Inflation] = []
  private var waiting = Data()
  private var received = 0
  private var between = 0

  init(_ coding: BodyCoding = .identity) {
    switch coding {
    case .steps(let steps): inflations = steps.reversed().map { Inflation($0) }
    case .unknown(let names): unknown = names
    }
  }

  /// Takes the next coded bytes. All bytes taken before must have been decoded.
  mutating func received(_ bytes: Data) {
    received += bytes.count
    waiting = bytes
  }

  /// Returns the next decoded bytes; `nil` if it needs more coded ones.
  mutating func next() throws(HTTPFailure) -> Data? {
    if let unknown, !waiting.isEmpty { throw .undecodable("its coding is not known: \(unknown)") }
    return try next(after: inflations.count)
  }

  /// Returns the next bytes after the first `count` steps.
  private mutating func next(after count: Int) throws(HTTPFailure) -> Data? {
    guard count > 0 else {
      defer { waiting = Data() }
      return waiting.isEmpty ? nil : waiting
    }
    while true {
      if let part = try inflations[count - 1].next() { return part }
      guard let part = try next(after: count - 1) else { return nil }
      if count > 1 { between += part.count }
      guard between <= received * Self.mostGrowth else { throw .undecodable("its inner code is too large") }
      inflations[count - 1].received(part)
    }
  }

  /// Verifies that the body is complete, at its end.
  func finish() throws(HTTPFailure) {
    for inflation in inflations { try inflation.finish() }
  }
}
