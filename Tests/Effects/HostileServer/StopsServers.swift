import Millrace
import Testing

/// The servers that a test of a suite with this trait makes are stopped when it has ended.
public struct StopsServers: TestTrait, SuiteTrait, TestScoping {
  @TaskLocal static var servers: Lock<[LoopbackServer]>?

  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let servers = Lock<[LoopbackServer]>([])
    try await Self.$servers.withValue(servers) { try await function() }
    for server in servers.withLock({ $0 }) { await server.stop() }
  }
}

extension Trait where Self == StopsServers {
  /// The servers that a test makes are stopped when it has ended.
  public static var stopsServers: Self { Self() }
}
