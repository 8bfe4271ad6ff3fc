#if !canImport(Darwin)
import Foundation
import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

import MillraceHTTP

private func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

/// Against the fuzzing server of the Autobahn test suite, which `.ci/run websockets` starts.
@Suite(
  .enabled(if: variable("MILLRACE_AUTOBAHN") != nil, "there is no server of the Autobahn test suite"),
  .timeLimit(.minutes(30)))
struct WebSocketAutobahnTests {
  private struct Echo: Equatable, Sendable {
    var sockets: Set<WebSocketRequest> = []
    var count = 0
    var received: [WebSocketMessage] = []
  }

  /// Connects once, and sends each message back. Returns what was received.
  private func echo(_ path: String) async throws -> [WebSocketMessage] {
    let request = WebSocketRequest(
      try #require(variable("MILLRACE_AUTOBAHN")) + path, timeout: .seconds(600), idleTimeout: nil,
      closingTime: .seconds(30))
    let store = Store<Echo, WebSocketEvent>(initialState: Echo(sockets: [request])) { state, event in
      var next = state.sockets.first
      switch event {
      case .status(.closed, _), .status(.waiting, _): next = nil
      case .status: break
      case .received(let message, _):
        state.count += 1
        state.received = [message]
        next?.outgoing.append(WebSocketOutgoing(state.count, message))
      case .sent(let number, _): next?.outgoing.removeAll { $0.number <= number }
      }
      state.sockets = next.map { [$0] } ?? []
    }
    store.connect(WebSocketEffect(), to: \.sockets)
    _ = await store.first { $0.sockets.isEmpty }
    await store.shutdown()
    return store.state.received
  }

  private struct Verdict: Decodable {
    var behavior: String
    var behaviorClose: String
  }

  @Test("no case of Autobahn fails")
  func cases() async throws {
    guard case .text(let text)? = try await echo("/getCaseCount").last, let count = Int(text) else {
      Issue.record("the server tells no number of cases")
      return
    }
    for number in 1...count { _ = try await echo("/runCase?case=\(number)&agent=millrace") }
    _ = try await echo("/updateReports?agent=millrace")
    let file = try #require(variable("MILLRACE_AUTOBAHN_REPORTS")) + "/index.json"
    let data = try Data(contentsOf: URL(fileURLWithPath: file))
    let agents = try JSONDecoder().decode([String: [String: Verdict]].self, from: data)
    let verdicts = try #require(agents["millrace"])
    #expect(verdicts.count == count)
    let fine = ["OK", "NON-STRICT", "INFORMATIONAL"]
    for (name, verdict) in verdicts.sorted(by: { $0.key < $1.key }) {
      #expect(fine.contains(verdict.behavior) && fine.contains(verdict.behaviorClose), "\(name): \(verdict)")
    }
    let counts = Dictionary(verdicts.values.map { ($0.behavior, 1) }, uniquingKeysWith: +)
    print("Autobahn: \(counts.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", "))")
  }
}
#endif
