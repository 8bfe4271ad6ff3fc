/// Looks for views that have died on slices which never change: at two of the connected ones whenever another is
/// connected, so that the dead are never more than the living.
struct ViewSweep {
  private var views: [Display] = []
  /// How many of them have ended.
  private var ended = 0
  private var hand = 0

  /// - Returns: the views to examine: whether they are gone.
  mutating func viewConnected(_ view: Display) -> [Display] {
    views.append(view)
    return (0..<min(2, views.count)).map { _ in
      hand = hand + 1 < views.count ? hand + 1 : 0
      return views[hand]
    }
    .filter { $0.phase == .connected }
  }

  /// A view has ended. Those that have are never more than half of all.
  mutating func viewEnded() {
    ended += 1
    if ended * 2 <= views.count { return }
    views.removeAll { $0.phase == .ended }
    (ended, hand) = (0, 0)
  }
}
