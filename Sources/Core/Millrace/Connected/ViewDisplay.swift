/// A connected view, held weakly.
final class ViewDisplay<V: ViewComponent, Props>: Display, @unchecked Sendable  // guarded as a display
where V.Props == Props {
  private weak let view: V?

  init(weakly view: V, _ entry: Entry) {
    self.view = view
    super.init(entry, .main)
  }

  override func areEqual(_ left: AnyObject, _ right: AnyObject) -> Bool { haveEqual(left, right, Props.self) }

  override var isGone: Bool { view == nil }

  @MainActor override func show(_ box: AnyObject) -> Bool {
    guard let view else { return false }
    view.props = known(box, Props.self).value
    return true
  }
}
