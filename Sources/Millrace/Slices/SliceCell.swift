/// The last value of a slice that its watchers got, and the way to the present one.
final class SliceCell<Whole, Part: Equatable & Sendable>: SliceCache {
  private let projection: Projection<Whole, Part>
  private let last: UnsafeMutablePointer<Part>

  init(_ projection: Projection<Whole, Part>, of whole: UnsafeRawPointer) {
    self.projection = projection
    let last = UnsafeMutablePointer<Part>.allocate(capacity: 1)
    projection.withPart(of: whole) { last.initialize(from: $0, count: 1) }
    self.last = last
  }

  deinit {
    last.deinitialize(count: 1)
    last.deallocate()
  }

  var key: ProjectionKey { projection.key }
  var name: String { projection.name }
  var value: UnsafeRawPointer { UnsafeRawPointer(last) }

  var place: ComparedPlace? {
    projection.offset.map { ComparedPlace(offset: $0, size: MemoryLayout<Part>.size, last: value) }
  }

  func refresh(from whole: UnsafeRawPointer) -> Bool {
    var isChanged = false
    projection.withPart(of: whole) { part in
      if part.pointee != last.pointee {
        last.update(from: part, count: 1)
        isChanged = true
      }
    }
    return isChanged
  }
}

/// What the tree needs of a slice, without its types. Used with the turn lock held.
protocol SliceCache: AnyObject {
  var key: ProjectionKey { get }
  var name: String { get }
  /// The address of the last value.
  var value: UnsafeRawPointer { get }
  /// Where it can be compared as it lies; `nil` if it has to be evaluated.
  var place: ComparedPlace? { get }
  /// Compares the present value with the last one, keeps it if it differs, and tells whether it did.
  func refresh(from whole: UnsafeRawPointer) -> Bool
}
