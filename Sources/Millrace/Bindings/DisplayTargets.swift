extension Display {
  /// The display of a component.
  static func component<C: Component>(_ component: C, isBackground: Bool) -> Display {
    Display(
      .task { box in await component.update(Box<C.Props>.value(in: box)) }, isBackground: isBackground,
      areEqual: Box<C.Props>.areEqual)
  }

  /// The display of a view, which is held weakly.
  static func view<V: ViewComponent>(_ view: V, isBackground: Bool) -> Display {
    Display(.main(ViewHolder(view)), isBackground: isBackground, areEqual: Box<V.Props>.areEqual)
  }
}

/// A view, held weakly.
private final class ViewHolder<V: ViewComponent>: Viewer {
  private nonisolated(unsafe) weak var view: V?  // set once; a weak reference may be read on any thread

  init(_ view: V) { self.view = view }

  var isGone: Bool { view == nil }

  @MainActor func show(_ box: AnyObject) -> Bool {
    guard let view else { return false }
    view.props = Box<V.Props>.value(in: box)
    return true
  }
}

extension Box {
  /// The value in a box that is known to be one of these.
  fileprivate static func value(in box: AnyObject) -> Value {
    guard let box = box as? Box<Value> else { preconditionFailure("a display gets boxes of its own slice") }
    return box.value
  }
}

extension Box where Value: Equatable {
  fileprivate static func areEqual(_ left: AnyObject, _ right: AnyObject) -> Bool {
    guard let left = left as? Box<Value>, let right = right as? Box<Value> else { return false }
    return Lent.areEqual(left.lent, right.lent)
  }
}
