import Millrace

/// A recording in memory, with the same bytes as a file.
public final class TraceMemory: Sendable {
  private let content = Lock<[UInt8]>([])

  /// Makes an empty recording.
  public init() {}

  /// The bytes so far, in whole lines.
  public var bytes: [UInt8] { content.withLock { $0 } }

  func append(_ bytes: [UInt8]) { content.withLock { $0 += bytes } }
}
