/// A component in its place. The props are a parameter, since the type of `C.Props` would be looked up at each use.
final class ComponentDisplay<C: Component, Props>: Display, @unchecked Sendable  // guarded as a display
where C.Props == Props {
  /// `nil` once the connection has ended and nothing of it is under way. Guarded by the lock of the displays, and does
  /// not change while an update is under way.
  private var component: C?

  init(_ component: C, _ entry: Entry) {
    self.component = component
    super.init(entry, .task)
  }

  override func areEqual(_ left: AnyObject, _ right: AnyObject) -> Bool { haveEqual(left, right, Props.self) }

  override func update(with box: AnyObject) async {
    await component?.update(known(box, Props.self).value)
  }

  override func forget() -> Any? {
    defer { component = nil }
    return component
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
func haveEqual<Value: Equatable>(_ left: AnyObject, _ right: AnyObject, _: Value.Type) -> Bool {
  Borrowed.areEqual(known(left, Value.self).borrowed, known(right, Value.self).borrowed)
}
