extension Display.Target {
  static func component(_ component: some Component) -> Self { .component(updating(component)) }

  private static func updating<C: Component>(_ component: C) -> @Sendable (AnyObject) async -> Void {
    { await component.update(known($0, C.Props.self).value) }
  }

  /// A view, which is held weakly.
  static func view(weakly view: some ViewComponent) -> Self { .view(ViewHolder(view)) }
}

/// A view, held weakly.
private final class ViewHolder<V: ViewComponent>: Viewer {
  private nonisolated(unsafe) weak var view: V?  // set once; a weak reference may be read on any thread

  init(_ view: V) { self.view = view }

  var isGone: Bool { view == nil }

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
func equality<Value: Equatable & Sendable>(
  of _: Value.Type
) -> @Sendable (_ left: AnyObject, _ right: AnyObject) -> Bool {
  { Lent.areEqual(known($0, Value.self).lent, known($1, Value.self).lent) }
}
