import Foundation

/// A descriptor to write to that can be made to fail with `EPIPE`.
///
/// The end of a pipe does not do: a process that another test is starting has a copy of its reading end for a moment, so that
/// a write may succeed after this process has closed its own.
package final class BrokenPipe: Sendable {
  private let ends: [Int32]

  package var descriptor: Int32 { ends[0] }

  package init() throws {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
    let kind = SOCK_STREAM
    #else
    let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    self.ends = ends
  }

  deinit { for end in ends { close(end) } }

  /// From here on each write fails.
  package func end() { shutdown(ends[0], Int32(SHUT_WR)) }
}
