/// A small feature for one need, and a story that shows what it does.
nonisolated struct Case: Sendable {
  /// The name by which the case is run.
  let name: String
  /// What a person observes who needs the case.
  let symptom: String
  /// Tells the story, a line at a time. Its time is that of a test clock, so that the story is the same each time.
  let tell: @Sendable (_ say: @escaping @Sendable (String) -> Void) async throws -> Void
}

nonisolated extension Case {
  /// All cases, in the order of the index.
  static let all = [
    searchAsYouType, retryAndGiveUp, adaptivePolling, sharedRefresh, pagination, cache, quota, breakerPerHost,
    wholeDeadline, parallelWithLimit, download,
    optimisticUpdate, offlineQueue, undoWithLookup, wizard, validation, manyWindows,
    longConnection, folderWatch, dailyReport, supervisedChild, tripSaga, paymentOverCrash, leader, agentLoop,
  ]
}
