extension Display.Target {
  static func component(_ component: some Component) -> Self { .component(ComponentHolder(component)) }

  /// A view, which is held weakly.
  static func view(weakly view: some ViewComponent) -> Self { .view(ViewHolder(view)) }
}

private final class ComponentHolder<C: Component>: Updater {
  private let component: C

  init(_ component: C) { self.component = component }

  func areEqual(_ left: AnyObject, _ right: AnyObject) -> Bool { haveEqual(left, right, C.Props.self) }

  func update(_ box: AnyObject) async { await component.update(known(box, C.Props.self).value) }
}

/// A view, held weakly.
private final class ViewHolder<V: ViewComponent>: Viewer {
  private nonisolated(unsafe) weak var view: V?  // set once; a weak reference may be read on any thread

  init(_ view: V) { self.view = view }

  var isGone: Bool { view == nil }

  func areEqual(_ left: AnyObject, _ right: AnyObject) -> Bool { haveEqual(left, right, V.Props.self) }

  @MainActor func show(_ box: AnyObject) -> Bool {
    guard let view else { return false }
    view.props = known(box, V.Props.self).value
    return true
  }
}

/// The box that `box` is known to be. A function of its own, not of the generic type, whose description would be looked
/// up at each call.
@inline(__always)
func known<Value>(_ box: AnyObject, _: Value.Type) -> Box<Value> {
  // Right, since what is connected gets boxes of its own slice alone.
  unsafeDowncast(box, to: Box<Value>.self)
}

/// Whether two boxes of such values have equal ones.
@inline(__always)
private func haveEqual<Value: Equatable>(_ left: AnyObject, _ right: AnyObject, _: Value.Type) -> Bool {
  Lent.areEqual(known(left, Value.self).lent, known(right, Value.self).lent)
}
