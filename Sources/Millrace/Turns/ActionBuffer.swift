/// A first-in first-out buffer of actions, whose type only its owner knows.
///
/// Raw memory rather than an array of a generic type: unspecialised, that looks metadata up at every append, which
/// costs more than the reducer.
struct ActionBuffer {
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  private var first = 0
  private var end = 0

  var isEmpty: Bool { first == end }

  /// The address of the oldest action. There must be one.
  func next<Action>(_: Action.Type) -> UnsafeMutablePointer<Action> {
    guard let base else { preconditionFailure("an action buffer is empty") }
    return base.assumingMemoryBound(to: Action.self) + first
  }

  mutating func append<Action>(_ action: Action) {
    if end == capacity { grow(Action.self) }
    guard let base else { preconditionFailure("an action buffer grows when it is full") }
    (base.assumingMemoryBound(to: Action.self) + end).initialize(to: action)
    end += 1
  }

  /// Removes the oldest action, which must exist.
  mutating func removeNext<Action>(_: Action.Type) {
    next(Action.self).deinitialize(count: 1)
    first += 1
    if first == end {
      first = 0
      end = 0
    }
  }

  /// Ends the buffer's life. A struct has no `deinit` of its own, so its owner calls this.
  mutating func destroy<Action>(_: Action.Type) {
    if !isEmpty { next(Action.self).deinitialize(count: end - first) }
    release()
  }

  /// Gives back memory for more than so many actions, while it is empty.
  mutating func shrink(to kept: Int) {
    if isEmpty, capacity > kept { release() }
  }

  private mutating func release() {
    base?.deallocate()
    base = nil
    capacity = 0
  }

  private mutating func grow<Action>(_: Action.Type) {
    let larger = max(8, capacity * 2)
    let memory = UnsafeMutablePointer<Action>.allocate(capacity: larger)
    if !isEmpty { memory.moveInitialize(from: next(Action.self), count: end - first) }
    base?.deallocate()
    base = UnsafeMutableRawPointer(memory)
    end -= first
    first = 0
    capacity = larger
  }
}
