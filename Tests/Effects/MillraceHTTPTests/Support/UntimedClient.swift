import MillraceTesting
import TestSupport
import Testing

@testable import MillraceHTTP

extension HTTPClient {
  /// A client whose timeouts come by a clock of the test's, and whose connections never become too old to be used again: a
  /// machine that is busy fails no test that is about something else.
  static func untimed(connectionsPerHost: Int = 6, clock: TestClock = TestClock()) -> HTTPClient {
    #if canImport(Darwin)
    return HTTPClient(connectionsPerHost: connectionsPerHost, clock: clock)
    #else
    let setup = CurlSetup(longestIdle: 1_000_000)
    return HTTPClient(
      transport: CurlTransport(connectionsPerHost: connectionsPerHost, setup: setup), clock: clock)
    #endif
  }
}

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
