/// The last value of one element, kept up to date by its collection's attachment: the element is found once, however
/// many ask whether it has changed. Used with the turn lock held.
final class ElementCell<Element: Identifiable & Equatable & Sendable>:
  ElementCache, @unchecked Sendable  // what varies is touched with the turn lock held
{
  let last: UnsafeMutablePointer<Element>
  /// Whether it has changed since somebody asked.
  private var isChanged = false
  /// Whether the element is gone.
  private(set) var isEnded = false

  init(_ element: UnsafePointer<Element>) {
    last = .allocate(capacity: 1)
    last.initialize(from: element, count: 1)
  }

  deinit {
    last.deinitialize(count: 1)
    last.deallocate()
  }

  /// Not kept, since nobody looks for it: a lifetime holds its node, which is nobody's child.
  var key: ProjectionKey { .unique(ProjectionIdentity()) }
  var name: String { "element \(Element.self)" }
  var value: UnsafeRawPointer { UnsafeRawPointer(last) }
  var place: ComparedPlace? { nil }

  func refresh(from whole: UnsafeRawPointer) -> Bool {
    defer { isChanged = false }
    return isChanged
  }

  func isOf(_ element: UnsafeRawPointer) -> Bool {
    UnsafeMutablePointer(mutating: element.assumingMemoryBound(to: Element.self)).id == last.id
  }

  func elementArrived(_ element: UnsafeRawPointer) -> Bool {
    let element = element.assumingMemoryBound(to: Element.self)
    if UnsafePointer(last).isEqual(to: element) { return false }
    last.update(from: element, count: 1)
    isChanged = true
    return true
  }

  func ended() { isEnded = true }
}

/// The same, without its type.
protocol ElementCache: SliceCache {
  /// Whether the element at the address has the id of this one.
  func isOf(_ element: UnsafeRawPointer) -> Bool
  /// The element has been touched, and lies there.
  ///
  /// - Returns: whether it has changed.
  func elementArrived(_ element: UnsafeRawPointer) -> Bool
  /// The element is gone.
  func ended()
}
