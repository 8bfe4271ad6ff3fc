import TestSupport

/// One way in which a server misbehaves over HTTP/2, or behaves in a way that few servers do.
public struct HTTP2Behaviour: Sendable, CustomStringConvertible {
  public let name: String
  /// The method of the request that this answers.
  public let method: String
  /// How it may end. Where HTTP leaves it open there are several.
  public let endings: Set<HostileBehaviour.Ending>
  /// The connection of the next request.
  public let next: HostileBehaviour.Next
  /// Whether the server closes the connection when the script is over.
  let closes: Bool
  /// Answers a request, given its stream.
  let script: @Sendable (HTTP2Connection, UInt32) -> Void

  init(
    _ name: String, _ endings: HostileBehaviour.Ending..., next: HostileBehaviour.Next, closes: Bool = false,
    method: String = "GET", script: @escaping @Sendable (HTTP2Connection, UInt32) -> Void
  ) {
    self.name = name
    self.method = method
    self.endings = Set(endings)
    self.next = next
    self.closes = closes
    self.script = script
  }

  /// The name.
  public var description: String { name }

  /// Every behaviour.
  public static let all: [HTTP2Behaviour] = answers + resets + goings + heads + frames + floods

  /// Some from all over in `swift test`, and every one with `MILLRACE_FULL`.
  public static let tested = TestSize.some(20, of: all)
}
