/// A first-in first-out buffer of actions.
///
/// Raw memory rather than an array: an array of an unspecialised element type looks its metadata up at every
/// append, which costs more than the reducer.
struct ActionBuffer<Action> {
  private var base: UnsafeMutablePointer<Action>
  private var capacity: Int
  private var first = 0
  private var end = 0

  init() {
    capacity = 0
    base = UnsafeMutablePointer<Action>.allocate(capacity: 0)
  }

  var isEmpty: Bool { first == end }

  /// The oldest action, in place. There must be one.
  var next: UnsafeMutablePointer<Action> { base + first }

  mutating func append(_ action: Action) {
    if end == capacity { grow() }
    (base + end).initialize(to: action)
    end += 1
  }

  /// Removes the oldest action, which must exist.
  mutating func removeNext() {
    (base + first).deinitialize(count: 1)
    first += 1
    if first == end {
      first = 0
      end = 0
      if capacity > Self.keptCapacity { release() }
    }
  }

  /// Ends the buffer's life. A struct has no `deinit` of its own, so its owner calls this.
  mutating func destroy() {
    (base + first).deinitialize(count: end - first)
    base.deallocate()
  }

  // What a burst has grown is given back once it is worked off.
  private static var keptCapacity: Int { 4096 }

  private mutating func release() {
    base.deallocate()
    capacity = 0
    base = .allocate(capacity: 0)
  }

  private mutating func grow() {
    let larger = Swift.max(8, capacity * 2)
    let memory = UnsafeMutablePointer<Action>.allocate(capacity: larger)
    memory.moveInitialize(from: base + first, count: end - first)
    base.deallocate()
    base = memory
    end -= first
    first = 0
    capacity = larger
  }
}
