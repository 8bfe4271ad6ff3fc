import TestSupport

/// One way in which a server misbehaves, or behaves in a way that few servers do.
public struct HostileBehaviour: Sendable, CustomStringConvertible {
  /// How a client that asks for it is to end.
  public enum Ending: Hashable, Sendable {
    /// With status 200 and this body.
    case answer(String)
    /// With this status.
    case status(Int)
    /// With the connection cut before the answer was whole. To try again may help.
    case cut
    /// With an answer that is not HTTP, or contradicts itself.
    case malformed
    /// With a body whose coding is unknown or broken.
    case undecodable
    /// With a body that is too large; `HostileBehaviour.largestBody` is the limit.
    case tooLarge
    /// With the client's patience: without a timeout it would never end.
    case endless
    /// With too many redirects.
    case redirectLoop
    /// With a redirect to what is no address of a web page.
    case badRedirect
    /// With nobody listening where a redirect leads.
    case nobody
  }

  /// The connection over which the client sends its next request. That request gets its own answer in every case.
  public enum Next: Sendable {
    /// The connection of this answer, which is still usable.
    case same
    /// Another connection.
    case another
    /// Either connection, depending on how much the client has read.
    case either
  }

  /// The largest body that a client is to accept here, in bytes.
  public static let largestBody = 500_000

  /// The path's first segment.
  public let name: String
  /// The method of the request that this answers.
  public var method = "GET"
  /// How it may end. Where HTTP leaves it open there are several.
  public let endings: Set<Ending>
  /// Whether the connection serves other requests after this one.
  let keepsConnection: Bool
  /// The connection of the next request.
  public let next: Next
  /// Answers a request, of which the second segment of the path is given.
  let script: @Sendable (LoopbackConnection, String) -> Void

  init(
    _ name: String, _ endings: Ending..., keepsConnection: Bool = false, next: Next? = nil,
    method: String = "GET", script: @escaping @Sendable (LoopbackConnection, String) -> Void
  ) {
    self.name = name
    self.endings = Set(endings)
    self.keepsConnection = keepsConnection
    self.next = next ?? (keepsConnection ? .either : .another)
    self.method = method
    self.script = script
  }

  /// A behaviour that writes and closes.
  init(_ name: String, _ endings: Ending..., writes bytes: [UInt8]) {
    self.name = name
    self.endings = Set(endings)
    keepsConnection = false
    next = .another
    script = { connection, _ in connection.write(bytes) }
  }

  /// A behaviour that writes text and closes.
  init(_ name: String, _ endings: Ending..., writes text: String) {
    self.name = name
    self.endings = Set(endings)
    keepsConnection = false
    next = .another
    script = { connection, _ in connection.write(text) }
  }

  /// The name.
  public var description: String { name }

  /// Every behaviour.
  public static let all: [HostileBehaviour] =
    framing + chunks + heads + statuses + codings + redirects + slowness + hugeness + characters + leftovers

  /// Some from all over in `swift test`, and every one with `MILLRACE_FULL`.
  public static let tested = TestSize.some(40, of: all)
}
