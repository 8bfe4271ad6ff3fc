/// The life of one element of a collection: the node of its slice, with all that the collection has to know of it. Used
/// with the turn lock held.
///
/// Its collection's attachment knows it without its type, since generic code reaches types by look-ups that would cost
/// more than what is done here, and keeps its value up to date: the element is found once, however many ask whether it
/// has changed.
class ElementNode: Node {
  /// Lies before the value.
  struct Life {
    let hash: Int
    /// Whether its displays are to be served.
    var isDue = false
    var isEnded = false
    /// Another one with the same hash.
    var next: ElementNode?
    let scope: Scope
  }

  private final var life: UnsafeMutablePointer<Life> {
    @inline(__always) get { tail.assumingMemoryBound(to: Life.self) }
  }

  final var hash: Int { life.pointee.hash }
  final var isEnded: Bool { life.pointee.isEnded }

  final var isDue: Bool {
    get { life.pointee.isDue }
    set { life.pointee.isDue = newValue }
  }

  final var next: ElementNode? {
    get { life.pointee.next }
    set { life.pointee.next = newValue }
  }

  deinit { life.deinitialize(count: 1) }

  /// Whether no other one has its hash, as far as it knows.
  final var isAlone: Bool { life.pointee.next == nil }

  /// Touches what is to be used when its displays are served.
  @inline(__always)
  final func touchNext(_ ahead: inout LookAhead) {
    ahead.touch(life.pointee.scope)
    touchChild(&ahead)
  }

  /// Whether the element at the address has the id of this one.
  func isOf(_ element: UnsafeRawPointer) -> Bool { preconditionFailure("an element has a type") }

  /// The element has been touched, and lies there.
  ///
  /// - Returns: whether it has changed.
  func elementArrived(_ element: UnsafeRawPointer) -> Bool { preconditionFailure("an element has a type") }

  /// Whether the element is gone, or all of its collection: the value stays the last one that it had.
  final var isGone: Bool { life.pointee.isEnded || life.pointee.scope.parent?.isEnded ?? false }

  // What has changed was told at once.
  final override func refresh(from whole: UnsafeRawPointer) -> Bool { false }

  final override var lastIfGone: UnsafeRawPointer? { isGone ? value : nil }

  /// From now on nothing that was sent through it touches the state.
  final func fence() {
    life.pointee.isEnded = true
    life.pointee.scope.isEnded = true
  }
}

/// The same with its type.
final class TypedElementNode<Element: Identifiable & Equatable & Sendable>: ElementNode {
  private static var words: Int { (MemoryLayout<Life>.size + 7) / 8 }

  static func make(_ element: UnsafePointer<Element>, _ life: Life, under parent: Node) -> Self {
    let made = create(minimumCapacity: words + TailValue<Element>.words) { buffer in
      let last = buffer.withUnsafeMutablePointerToElements { memory in
        UnsafeMutableRawPointer(memory).initializeMemory(as: Life.self, to: life)
        return TailValue<Element>.address(in: memory + words)
      }
      last.initialize(from: element, count: 1)
      return Fields(value: last, parent: parent, isHeld: true)
    }
    return unsafeDowncast(made, to: Self.self)  // made by this very class
  }

  deinit { last.deinitialize(count: 1) }

  private var last: UnsafeMutablePointer<Element> {
    UnsafeMutablePointer(mutating: value.assumingMemoryBound(to: Element.self))
  }

  override var name: String { "element \(Element.self)" }

  override func isOf(_ element: UnsafeRawPointer) -> Bool {
    UnsafeMutablePointer(mutating: element.assumingMemoryBound(to: Element.self)).id == last.id
  }

  override func elementArrived(_ element: UnsafeRawPointer) -> Bool {
    let (element, last) = (element.assumingMemoryBound(to: Element.self), last)
    if UnsafePointer(last).isEqual(to: element) { return false }
    last.update(from: element, count: 1)
    return true
  }
}
