/// A buffer of actions, independent of their type.
class AnyActionBuffer {
  /// Removes all values, and releases memory that has become large. No lock may be held, since a value's `deinit` may
  /// call anything.
  func removeAll() {}
}

/// Values in the order of their arrival, in typed memory. Generic code that uses an array would look the array's type
/// up at every use.
final class ActionBuffer<Action>: AnyActionBuffer, @unchecked Sendable {  // guarded by the lock of its owner
  /// `nil` while the capacity is 0. An idle store has no memory for actions.
  private var memory: UnsafeMutablePointer<Action>?
  private var capacity = 0
  private(set) var count = 0

  override init() {}
  deinit { removeMemory() }

  @inline(__always)
  func append(_ action: consuming Action) {
    if count == capacity { grow() }
    (memory! + count).initialize(to: action)  // there is memory for more than `count`
    count += 1
  }

  private func grow() {
    capacity = max(8, capacity * 2)
    let larger = UnsafeMutablePointer<Action>.allocate(capacity: capacity)
    if let memory {
      larger.moveInitialize(from: memory, count: count)
      memory.deallocate()
    }
    memory = larger
  }

  /// Moves all values to another, empty buffer of this type, or to a new one for `nil`. This is a method here, since
  /// code elsewhere would have to look the type up.
  func moveAll(to other: AnyActionBuffer?) -> ActionBuffer {
    let buffer: ActionBuffer
    // This function has made the other buffer.
    if let other { buffer = unsafeDowncast(other, to: ActionBuffer.self) } else { buffer = Self() }
    // Not by `swap`: an access of two of these at once would be checked, and so would every other access.
    (memory, buffer.memory) = (buffer.memory, memory)
    (capacity, buffer.capacity) = (buffer.capacity, capacity)
    (count, buffer.count) = (buffer.count, count)
    return buffer
  }

  /// The value at an index. Valid until the next change.
  @inline(__always)
  subscript(index: Int) -> Borrowed<Action> {
    precondition(index < count, "only what is in the buffer is taken")
    return Borrowed(pointer: memory! + index)  // a count above 0 has memory
  }

  override func removeAll() {
    if capacity > 1024 { return removeMemory() }
    memory?.deinitialize(count: count)
    count = 0
  }

  private func removeMemory() {
    memory?.deinitialize(count: count)
    memory?.deallocate()
    memory = nil
    (count, capacity) = (0, 0)
  }
}
