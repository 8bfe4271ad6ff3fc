/// A connected component. The type of its props is a parameter, since `C.Props` would be looked up at each use.
final class ComponentDisplay<C: Component, Props>: Display, @unchecked Sendable  // guarded as a display
where C.Props == Props {
  /// `nil` when the connection has ended and no update is in progress. Guarded by the lock of the displays. It does not
  /// change while an update is in progress.
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

/// Casts a box to its known type. A free function, since a generic type would be looked up at each call of a method.
@inline(__always)
func known<Value>(_ box: AnyObject, _: Value.Type) -> Box<Value> {
  // The cast is safe, since a connection gets only boxes of its own slice.
  unsafeDowncast(box, to: Box<Value>.self)
}

/// Whether two boxes of such values contain equal values.
@inline(__always)
func haveEqual<Value: Equatable>(_ left: AnyObject, _ right: AnyObject, _: Value.Type) -> Bool {
  Borrowed.areEqual(known(left, Value.self).borrowed, known(right, Value.self).borrowed)
}
