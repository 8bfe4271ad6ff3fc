import MillraceTesting

extension TestStore {
  /// The requests in progress, in the form that the properties of an `Explorer` get.
  ///
  /// For the regression tests that an explorer prints, and for steps that depend on the requests in progress.
  ///
  /// - Parameters:
  ///   - part: the id of the element or optional value in whose lifetime the effect was connected, or the ids of nested
  ///     ones, outermost first; by default any part.
  ///   - name: the name of the effect's connection; by default any name.
  public func inProgress(in part: AnyHashable? = nil, named name: String? = nil) -> RunningRequests {
    if session.rehearsal?.looks(in: session) == false { return RunningRequests(all: []) }
    return RunningRequests(
      all: session.book.withLock { $0.running }
        .filter { $0.isOf(part, name) }.map(\.request))
  }
}
