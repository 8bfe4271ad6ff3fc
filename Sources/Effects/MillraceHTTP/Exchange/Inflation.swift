import Foundation

#if !canImport(Darwin)
import CMillraceCurl
#endif

/// Decodes one step of a body's coding. Where the system decodes, there is none.
final class Inflation {
  /// The largest decoded part, in bytes.
  static let largestPart = 64 << 10

  private let step: BodyCoding.Step
  private var waiting = Data()
  private var hasInput = false
  private var streamHasEnded = false
  private var isOver = false
  private var isBroken = false

  init(_ step: BodyCoding.Step) { self.step = step }

  /// Takes the next coded bytes.
  func received(_ bytes: Data) {
    hasInput = true
    if waiting.isEmpty { waiting = bytes } else { waiting.append(bytes) }
  }

  /// Verifies that the input is complete, at its end.
  func finish() throws(HTTPFailure) {
    guard hasInput, !isOver, !streamHasEnded else { return }
    throw .undecodable("its \(step) code ends early")
  }

  #if canImport(Darwin)
  func next() throws(HTTPFailure) -> Data? { nil }
  #else
  private var inflation: OpaquePointer?
  // One buffer for all parts, since they may be very small.
  private lazy var output = [UInt8](repeating: 0, count: Self.largestPart)

  deinit { if let inflation { millrace_inflation_free(inflation) } }

  /// Returns the next decoded bytes; `nil` if it needs more coded ones.
  func next() throws(HTTPFailure) -> Data? {
    while !isOver, try begin() {
      let part = try decoded()
      if !part.isEmpty { return part }
      if waiting.isEmpty, !streamHasEnded, !isBroken { return nil }
    }
    return nil
  }

  /// Prepares to decode the waiting bytes. Returns whether that is possible yet.
  private func begin() throws(HTTPFailure) -> Bool {
    if inflation == nil {
      guard waiting.count >= 2 else { return false }
      let (first, second) = (waiting[waiting.startIndex], waiting[waiting.startIndex + 1])
      let hasHead = first & 15 == 8 && (Int(first) << 8 | Int(second)) % 31 == 0
      inflation = millrace_inflation_new(step == .deflate && !hasHead ? 1 : 0)
      guard inflation != nil else { throw .undecodable("there is no zlib on this system") }
    }
    if streamHasEnded {
      // Another member may follow. Anything else after the end is not part of the body.
      guard !waiting.isEmpty else { return false }
      guard step == .gzip, waiting.first == 0x1F, let inflation, millrace_inflation_restart(inflation) != 0
      else {
        isOver = true
        waiting = Data()
        return false
      }
      streamHasEnded = false
    }
    return true
  }

  private func decoded() throws(HTTPFailure) -> Data {
    guard let inflation, !isBroken else { throw .undecodable("its \(step) code is broken") }
    var (taken, made) = (0, 0)
    var state: Int32 = 0
    let waiting = waiting
    state = waiting.withUnsafeBytes { input in
      output.withUnsafeMutableBufferPointer { output in
        // `largestPart` is not zero, so the buffer has memory.
        guard let output = output.baseAddress else { return -1 }
        return millrace_inflation_step(
          inflation, input.bindMemory(to: UInt8.self).baseAddress, input.count, output, Self.largestPart,
          &taken, &made)
      }
    }
    self.waiting = waiting.dropFirst(taken)
    // The bytes before an error are returned first, so that the result does not depend on the parts in which the bytes
    // arrived.
    isBroken = state < 0
    streamHasEnded = state == 1
    return Data(output.prefix(made))
  }
  #endif
}
