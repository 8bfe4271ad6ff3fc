/// Decides what a component gets next: values come at any pace, at most one waits, none comes twice in a row.
///
/// All of it lies in memory that it reaches by pointer: handling optionals of a generic type costs more than all the
/// rest, and so does checking a class's property for exclusive access at every use. For the same reason everything is
/// inlined, since the methods of a generic type look up what they are generic about.
struct Conflation<Value: Equatable> {
  private struct Progress {
    /// Which of the places holds what was given last, if anything was. The other one is for what waits.
    var last: UInt8 = 0
    var hasLast = false
    var hasPending = false
    var isServing = false
    var isEnded = false
  }

  /// Followed by two places for values.
  private let progress: UnsafeMutablePointer<Progress>

  @inline(__always)
  private static var offset: Int { max(8, MemoryLayout<Value>.alignment) }

  @inline(__always)
  private var places: UnsafeMutablePointer<Value> {
    (UnsafeMutableRawPointer(progress) + Self.offset).assumingMemoryBound(to: Value.self)
  }

  @inline(__always)
  private var last: UnsafeMutablePointer<Value> { places + Int(progress.pointee.last) }

  @inline(__always)
  private var pending: UnsafeMutablePointer<Value> { places + (1 - Int(progress.pointee.last)) }

  /// How much memory it takes, and how that has to be aligned.
  static var memory: (size: Int, alignment: Int) { (offset + 2 * MemoryLayout<Value>.stride, offset) }

  /// One in memory of its own.
  init() {
    let (size, alignment) = Self.memory
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
    self.init(existingAt: memory)
    initialize()
  }

  /// The one that begins there.
  @inline(__always)
  init(existingAt memory: UnsafeMutableRawPointer) {
    progress = memory.assumingMemoryBound(to: Progress.self)
  }

  /// Begins its life.
  func initialize() {
    let memory = UnsafeMutableRawPointer(progress)
    memory.initializeMemory(as: Progress.self, to: Progress())
    (memory + Self.offset).bindMemory(to: Value.self, capacity: 2)
  }

  /// Ends its life. A struct has no `deinit` of its own, so its owner calls this.
  func deinitialize() {
    dropPending()
    dropLast()
  }

  /// The same for one in memory of its own.
  func destroy() {
    deinitialize()
    UnsafeMutableRawPointer(progress).deallocate()
  }

  /// Whether a value waits.
  @inline(__always)
  var hasPending: Bool { progress.pointee.hasPending }

  /// Whether somebody is serving it, and will ask for the next value.
  @inline(__always)
  var isServing: Bool { progress.pointee.isServing }

  /// - Returns: whether serving has to begin.
  @inline(__always)
  func valueArrived(_ value: UnsafePointer<Value>) -> Bool {
    if progress.pointee.isEnded { return false }
    if progress.pointee.hasLast, last.pointee == value.pointee {
      dropPending()
    } else if hasPending {
      pending.update(from: value, count: 1)
    } else {
      pending.initialize(from: value, count: 1)
      progress.pointee.hasPending = true
    }
    if isServing || !hasPending { return false }
    progress.pointee.isServing = true
    return true
  }

  /// Whoever serves is ready for the next value.
  ///
  /// - Returns: where the next value lies until serving advances again; `nil` if there is none, and serving has ended.
  @inline(__always)
  func servingAdvanced() -> UnsafePointer<Value>? {
    if !hasPending {
      progress.pointee.isServing = false
      if progress.pointee.isEnded { dropLast() }
      return nil
    }
    dropLast()
    progress.pointee.last = 1 - progress.pointee.last
    progress.pointee.hasLast = true
    progress.pointee.hasPending = false
    return UnsafePointer(last)
  }

  /// Where the value lies that was given last.
  @inline(__always)
  var given: UnsafePointer<Value> {
    precondition(progress.pointee.hasLast, "a value is given before it is used")
    return UnsafePointer(last)
  }

  /// The connection has ended: nothing more is given.
  func connectionEnded() {
    progress.pointee.isEnded = true
    dropPending()
    if !isServing { dropLast() }  // what is being served may be in use
  }

  @inline(__always)
  private func dropPending() {
    if hasPending { pending.deinitialize(count: 1) }
    progress.pointee.hasPending = false
  }

  @inline(__always)
  private func dropLast() {
    if progress.pointee.hasLast { last.deinitialize(count: 1) }
    progress.pointee.hasLast = false
  }
}
