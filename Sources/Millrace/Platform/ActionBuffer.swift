/// Values in the order in which they came, in typed memory: generic code that appends to an array, or takes from one,
/// looks the array's type up at every use.
final class ActionBuffer<Action>: @unchecked Sendable {  // guarded by the lock of its owner
  private var memory: UnsafeMutablePointer<Action>
  private var capacity: Int
  private(set) var count = 0

  init() {
    capacity = 8
    memory = .allocate(capacity: 8)
  }

  deinit {
    memory.deinitialize(count: count)
    memory.deallocate()
  }

  @inline(__always)
  func append(_ action: consuming Action) {
    if count == capacity { grow() }
    (memory + count).initialize(to: action)
    count += 1
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Action>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: memory, count: count)
    memory.deallocate()
    memory = larger
    capacity *= 2
  }

  /// Exchanges all values with another buffer.
  func exchange(with other: ActionBuffer) {
    (memory, other.memory) = (other.memory, memory)
    (capacity, other.capacity) = (other.capacity, capacity)
    (count, other.count) = (other.count, count)
  }

  /// The value at an index; valid until the next change.
  @inline(__always)
  subscript(index: Int) -> Lent<Action> {
    precondition(index < count, "only what is in the buffer is taken")
    return Lent(pointer: UnsafePointer(memory + index))
  }

  /// Removes all values, and gives back what a flood has made large. No lock may be held: a value's `deinit` may call
  /// anything.
  func removeAll() {
    memory.deinitialize(count: count)
    count = 0
    if capacity <= 1024 { return }
    memory.deallocate()
    capacity = 8
    memory = .allocate(capacity: 8)
  }
}
