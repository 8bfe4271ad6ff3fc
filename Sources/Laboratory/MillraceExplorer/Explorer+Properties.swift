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
    adding(.always, name, fileID, filePath, line, looksAtRuns: false) { state, _ in holds(state) }
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
    adding(.always, name, fileID, filePath, line, looksAtRuns: true, holds)
  }

  /// Returns this explorer with a property that holds in no state.
  public func never(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State) -> Bool
  ) -> Explorer {
    adding(.never, name, fileID, filePath, line, looksAtRuns: false) { state, _ in holds(state) }
  }

  /// Returns this explorer with a property of the state and the requests in progress that holds in no state.
  public func never(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State, RunningRequests) -> Bool
  ) -> Explorer {
    adding(.never, name, fileID, filePath, line, looksAtRuns: true, holds)
  }

  /// Returns this explorer with a property that can be reached from every state: the feature is never stuck.
  ///
  /// Some moves lead from each state to one with the property; others may never do so. A state counts as not stuck if
  /// only moves beyond a bound could decide. Costs 12 bytes a move.
  public func alwaysReachable(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State) -> Bool
  ) -> Explorer {
    adding(.alwaysReachable, name, fileID, filePath, line, looksAtRuns: false) { state, _ in holds(state) }
  }

  /// Returns this explorer with a property, of the state and the requests in progress, that can be reached from every
  /// state.
  public func alwaysReachable(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State, RunningRequests) -> Bool
  ) -> Explorer {
    adding(.alwaysReachable, name, fileID, filePath, line, looksAtRuns: true, holds)
  }

  /// Returns this explorer with a property that every fair, endless execution without the user reaches.
  ///
  /// ```swift
  /// .eventually("loading ends") { state in state.attempt == nil }
  /// ```
  ///
  /// Fails on a cycle of outcomes and times without a state that has the property, such as a retry that never stops.
  /// Moves of the user, of a component and restarts are not part of such a cycle. The cycle must be fair: each run that
  /// is in progress throughout acts in it, so a clock that ticks for ever before an answer comes is no failure. A state
  /// with nothing in progress is no failure either, since the user may act: check that by `alwaysReachable`. Costs 12
  /// bytes a move.
  public func eventually(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State) -> Bool
  ) -> Explorer {
    adding(.eventually, name, fileID, filePath, line, looksAtRuns: false) { state, _ in holds(state) }
  }

  /// Returns this explorer with a property, of the state and the requests in progress, that every fair, endless
  /// execution without the user reaches.
  public func eventually(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ holds: @escaping @Sendable (State, RunningRequests) -> Bool
  ) -> Explorer {
    adding(.eventually, name, fileID, filePath, line, looksAtRuns: true, holds)
  }

  private func adding(
    _ kind: ExploredProperty<State>.Kind, _ name: String, _ fileID: StaticString, _ filePath: StaticString,
    _ line: UInt, looksAtRuns: Bool, _ holds: @escaping @Sendable (State, RunningRequests) -> Bool
  ) -> Explorer {
    changed {
      $0.properties.append(
        ExploredProperty(
          kind: kind, name: name, site: CallSite(fileID: fileID, line: line), path: "\(filePath)",
          looksAtRuns: looksAtRuns, holds: holds))
    }
  }
}
