import HostileServer
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceHTTP

/// What suites need of the inside of the module, so that they test by its interface alone.
enum Inside {
  /// The most bytes that a part of a stream has.
  static let largestPart = 2 * TransferBuffer.capacity

  #if !canImport(Darwin)
  static let nameOfThreads = CurlLibrary.threadName
  static let mostLookups = LookupSlots.most
  #endif
}

extension HTTPClient {
  /// A client whose timeouts come by a clock of the test's, and whose connections never become too old to be used again: a
  /// machine that is busy fails no test that is about something else.
  ///
  /// - Parameters:
  ///   - proxy: takes the place of the environment's.
  ///   - authorities: a file that takes the place of the system's.
  static func untimed(
    connectionsPerHost: Int = 6, clock: TestClock = TestClock(), proxy: String? = nil,
    authorities: String? = nil
  ) -> HTTPClient {
    #if canImport(Darwin)
    return HTTPClient(connectionsPerHost: connectionsPerHost, clock: clock)
    #else
    var setup = CurlSetup(proxy: proxy, longestIdle: 1_000_000)
    if let authorities { setup.authoritiesFile = authorities }
    let transport = CurlTransport(connectionsPerHost: connectionsPerHost, setup: setup)
    return HTTPClient(transport: transport, clock: clock)
    #endif
  }
}

#if !canImport(Darwin)
extension WebSocketEffect {
  /// An effect whose connections go through a proxy, and trust the authorities of a file.
  init(
    proxy: String, authorities: String? = nil, clock: TestClock,
    breaker: @escaping @Sendable (WebSocketRequest) -> CircuitBreaker?
  ) {
    var setup = CurlSetup(proxy: proxy)
    if let authorities { setup.authoritiesFile = authorities }
    self.init(clock: clock, breaker: breaker, open: CurlSockets(setup: setup).open)
  }
}

extension WebSocketFailure {
  /// The code with which a connection is closed for this.
  var code: Int? { closeCode }
}

extension WebSocketPeer {
  /// The answer to a key that RFC 6455 demands.
  static func accept(_ key: String) -> String { WebSocketHandshake.accept(key) }

  convenience init?(agreeing connection: LoopbackConnection, subprotocol: String? = nil) {
    self.init(connection, subprotocol: subprotocol, accept: WebSocketHandshake.accept)
  }
}
#endif

/// Performs work for which time passes, from one due instant to the next, once `hasBegun` holds.
///
/// For what never ends by itself: on however slow a machine, it is ended by time, and not before it has begun.
func withTimePassing<Value>(
  by clock: TestClock, once hasBegun: @autoclosure @escaping @Sendable () -> Bool, _ work: () async -> Value
) async -> Value {
  let passing = Task {
    try await eventually { Task.isCancelled || hasBegun() }
    while true {
      try await clock.sleepers(atLeast: 1)
      clock.advanceToNextDeadline()
    }
  }
  defer { passing.cancel() }
  return await work()
}
