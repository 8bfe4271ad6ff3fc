import Foundation

#if !canImport(Darwin)
import CMillraceCurl
#endif

/// Decodes a body that comes in parts. Used by one task at a time.
///
/// The input is decoded step by step as it is asked for, so that a small body that becomes a huge one takes no
/// more memory than a step.
struct BodyDecoder: ~Copyable {
  /// The largest decoded part, in bytes.
  static let largestPart = 64 << 10

  private let coding: BodyCoding
  private var waiting = Data()
  private var hasInput = false
  #if !canImport(Darwin)
  private var inflation: OpaquePointer?
  private var streamHasEnded = false
  private var isOver = false
  #endif

  init(_ coding: BodyCoding = .identity) { self.coding = coding }

  #if !canImport(Darwin)
  deinit { if let inflation { millrace_inflation_free(inflation) } }
  #endif

  /// Takes the next coded bytes. Everything put in before must have been decoded.
  mutating func received(_ bytes: Data) {
    hasInput = true
    if waiting.isEmpty { waiting = bytes } else { waiting.append(bytes) }
  }

  /// The next decoded bytes; `nil` if more coded ones are needed.
  mutating func next() throws(HTTPFailure) -> Data? {
    if case .unknown(let name) = coding {
      guard waiting.isEmpty else { throw .undecodable("its coding is not known: \(name)") }
      return nil
    }
    guard coding != .identity else {
      defer { waiting = Data() }
      return waiting.isEmpty ? nil : waiting
    }
    #if canImport(Darwin)
    return nil
    #else
    while !isOver, try begin() {
      let part = try step()
      if !part.isEmpty { return part }
      if waiting.isEmpty, !streamHasEnded { return nil }
    }
    return nil
    #endif
  }

  /// The body is over.
  func finish() throws(HTTPFailure) {
    #if !canImport(Darwin)
    guard coding == .gzip || coding == .deflate, hasInput, !isOver, !streamHasEnded else { return }
    throw .undecodable("its \(coding) code ends early")
    #endif
  }

  #if !canImport(Darwin)
  /// Prepares for what waits. Returns whether it can be decoded yet.
  private mutating func begin() throws(HTTPFailure) -> Bool {
    if inflation == nil {
      guard waiting.count >= 2 else { return false }
      let (first, second) = (waiting[waiting.startIndex], waiting[waiting.startIndex + 1])
      let hasHead = first & 15 == 8 && (Int(first) << 8 | Int(second)) % 31 == 0
      inflation = millrace_inflation_new(coding == .deflate && !hasHead ? 1 : 0)
      guard inflation != nil else { throw .undecodable("there is no zlib on this system") }
    }
    if streamHasEnded {
      // Another member may follow; anything else after the end is not part of the body.
      guard !waiting.isEmpty else { return false }
      guard coding == .gzip, waiting.first == 0x1F, let inflation, millrace_inflation_restart(inflation) != 0
      else {
        isOver = true
        waiting = Data()
        return false
      }
      streamHasEnded = false
    }
    return true
  }

  private mutating func step() throws(HTTPFailure) -> Data {
    guard let inflation else { return Data() }
    var (taken, made) = (0, 0)
    var state: Int32 = 0
    let waiting = waiting
    let part = [UInt8](unsafeUninitializedCapacity: Self.largestPart) { output, count in
      state = waiting.withUnsafeBytes { input in
        // `largestPart` is not zero, so that there is memory.
        guard let output = output.baseAddress else { return -1 }
        return millrace_inflation_step(
          inflation, input.bindMemory(to: UInt8.self).baseAddress, input.count, output, Self.largestPart,
          &taken, &made)
      }
      count = made
    }
    self.waiting = waiting.dropFirst(taken)
    guard state >= 0 else { throw .undecodable("its \(coding) code is broken") }
    streamHasEnded = state == 1
    return Data(part)
  }
  #endif
}
