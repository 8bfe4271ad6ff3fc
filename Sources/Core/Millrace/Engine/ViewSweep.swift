/// Finds released views on slices that never change. Each new connection of a view examines two others, so that
/// released views are never more than the living ones.
struct ViewSweep {
  private var views: [Display] = []
  /// The number of `views` that have ended.
  private var ended = 0
  private var hand = 0

  /// - Returns: the views to examine: those that were released have to end.
  mutating func viewConnected(_ view: Display) -> [Display] {
    views.append(view)
    return (0..<min(2, views.count)).map { _ in
      hand = hand + 1 < views.count ? hand + 1 : 0
      return views[hand]
    }
    .filter { $0.phase == .connected }
  }

  /// Counts an ended view. Ended views are removed when they are more than half of all.
  mutating func viewEnded() {
    ended += 1
    if ended * 2 <= views.count { return }
    views.removeAll { $0.phase == .ended }
    (ended, hand) = (0, 0)
  }
}
