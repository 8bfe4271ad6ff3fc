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

extension Projection where Part: Equatable {
  /// Makes the cell of its slice, with the present value.
  func makeCell(of whole: UnsafeRawPointer) -> any SliceCache {
    if let offset { return StoredSliceCell<Part>.make(key, at: offset, of: whole) }
    return SliceCell(self, of: whole)
  }
}

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
  var place: ComparedPlace? { nil }

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

/// Where a stored slice lies, and where its cell keeps its last value.
struct StoredSlice {
  let key: ProjectionKey
  let offset: Int
  let last: UnsafeMutableRawPointer
}

/// The same for a slice that lies in the whole: one object with the value in its tail, since most slices are such, and
/// of a hundred thousand each touch of one more object is one more trip to memory.
final class StoredSliceCell<Part: Equatable & Sendable>: ManagedBuffer<StoredSlice, Part>, SliceCache {
  static func make(_ key: ProjectionKey, at offset: Int, of whole: UnsafeRawPointer) -> any SliceCache {
    let made = create(minimumCapacity: 1) { buffer in
      buffer.withUnsafeMutablePointerToElements { last in
        last.initialize(from: (whole + offset).assumingMemoryBound(to: Part.self), count: 1)
        return StoredSlice(key: key, offset: offset, last: UnsafeMutableRawPointer(last))
      }
    }
    return unsafeDowncast(made, to: Self.self)  // made by this very class
  }

  deinit { last.deinitialize(count: 1) }

  private var last: UnsafeMutablePointer<Part> { header.last.assumingMemoryBound(to: Part.self) }

  var key: ProjectionKey { header.key }
  var value: UnsafeRawPointer { UnsafeRawPointer(header.last) }

  var name: String {
    if case .keyPath(let path) = key { return "\(path)" }
    preconditionFailure("a stored slice is reached by a key path")
  }

  var place: ComparedPlace? {
    ComparedPlace(offset: header.offset, size: MemoryLayout<Part>.size, last: value)
  }

  func refresh(from whole: UnsafeRawPointer) -> Bool {
    let (part, last) = ((whole + header.offset).assumingMemoryBound(to: Part.self), last)
    if part.pointee == last.pointee { return false }
    last.update(from: part, count: 1)
    return true
  }
}
