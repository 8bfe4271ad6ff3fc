/// Looks for views that have died on slices which never change: at two of the connected ones whenever another is
/// connected, so that the dead are never more than the living.
struct ViewSweep {
  private var views: [Display] = []
  private var hand = 0

  /// - Returns: the views to examine: whether they are gone.
  mutating func viewConnected(_ view: Display) -> [Display] {
    views.append(view)
    var looked: [Display] = []
    for _ in 0..<2 where !views.isEmpty {
      if hand >= views.count { hand = 0 }
      if views[hand].phase == .connected {
        looked.append(views[hand])
        hand += 1
      } else {
        views.swapAt(hand, views.count - 1)
        views.removeLast()
      }
    }
    return looked
  }
}
