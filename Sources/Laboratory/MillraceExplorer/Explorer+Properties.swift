import Millrace
import MillraceTesting

extension Explorer {
  // MARK: Properties

  /// Returns this explorer with a property that holds in every state.
  ///
  /// - Parameters:
  ///   - name: what the property is called in the report.
  ///   - holds: whether it holds. Pure; called once for each explored state.
  public func always(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State) -> Bool
  ) -> Explorer {
    adding(.always, name, CallSite(fileID: fileID, line: line), "\(filePath)", looksAtRuns: false) {
      state, _ in holds(state)
    }
  }

  /// Returns this explorer with a property of the state and the requests in progress that holds in every state.
  ///
  /// ```swift
  /// .always("no spinner without a request") { state, running in !state.isLoading || !running.isEmpty }
  /// ```
  public func always(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State, RunningRequests) -> Bool
  ) -> Explorer {
    adding(.always, name, CallSite(fileID: fileID, line: line), "\(filePath)", looksAtRuns: true, holds)
  }

  /// Returns this explorer with a property that holds in no state.
  public func never(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State) -> Bool
  ) -> Explorer {
    adding(.never, name, CallSite(fileID: fileID, line: line), "\(filePath)", looksAtRuns: false) {
      state, _ in holds(state)
    }
  }

  /// Returns this explorer with a property of the state and the requests in progress that holds in no state.
  public func never(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State, RunningRequests) -> Bool
  ) -> Explorer {
    adding(.never, name, CallSite(fileID: fileID, line: line), "\(filePath)", looksAtRuns: true, holds)
  }

  /// Returns this explorer with a property that can be reached from every state: the feature is never stuck.
  ///
  /// It does not say that the property is reached whatever happens, only that some moves lead there. Where a bound was
  /// met, states from which the way might lead beyond it count as not stuck. Costs 12 bytes a move.
  public func alwaysReachable(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State) -> Bool
  ) -> Explorer {
    adding(.alwaysReachable, name, CallSite(fileID: fileID, line: line), "\(filePath)", looksAtRuns: false) {
      state, _ in
      holds(state)
    }
  }

  /// Returns this explorer with a property of the state and the requests in progress that can be reached from every
  /// state.
  public func alwaysReachable(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State, RunningRequests) -> Bool
  ) -> Explorer {
    adding(
      .alwaysReachable, name, CallSite(fileID: fileID, line: line), "\(filePath)", looksAtRuns: true, holds)
  }

  /// Returns this explorer with a property that the program comes to by itself: it does not go on for ever without.
  ///
  /// ```swift
  /// .eventually("loading ends") { state in state.attempt == nil }
  /// ```
  ///
  /// Fails on a cycle of outcomes and times, without the user, a component or a restart, in none of whose states the
  /// property holds, such as a retry that never stops. Every run that is in progress all along acts in such a cycle: that
  /// a clock could tick for ever before an answer comes is no failure. Neither is a program that rests without it, since
  /// nothing is in progress and the user may go on: check that by `alwaysReachable`. Costs 12 bytes a move.
  public func eventually(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State) -> Bool
  ) -> Explorer {
    adding(.eventually, name, CallSite(fileID: fileID, line: line), "\(filePath)", looksAtRuns: false) {
      state, _ in
      holds(state)
    }
  }

  /// Returns this explorer with a property of the state and the requests in progress that the program comes to by itself.
  public func eventually(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State, RunningRequests) -> Bool
  ) -> Explorer {
    adding(.eventually, name, CallSite(fileID: fileID, line: line), "\(filePath)", looksAtRuns: true, holds)
  }

  private func adding(
    _ kind: ExploredProperty<State>.Kind, _ name: String, _ site: CallSite, _ path: String, looksAtRuns: Bool,
    _ holds: @escaping @Sendable (State, RunningRequests) -> Bool
  ) -> Explorer {
    changed {
      $0.properties.append(
        ExploredProperty(
          kind: kind, name: name, site: site, path: path, looksAtRuns: looksAtRuns, holds: holds))
    }
  }
}
