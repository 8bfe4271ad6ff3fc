/// The views of one slice, which get its values together: a value that arrives costs little for each of them until the
/// main actor shows it.
///
/// | field | guarded by |
/// |---|---|
/// | `round`, `chunk`, `committed`, `shown` | the turn lock; written by the main actor alone, which so may read them without |
/// | everything else | the turn lock |
class ViewGroup: DisplayGroup, ServedOnMain, @unchecked Sendable {  // each field has the guard in the table
  private var views: [ViewMember] = []
  /// The scope of all of them, unless they are of several.
  private var commonScope: Scope?
  /// Those that have not got anything yet, and that no round includes.
  private var fresh: [ViewMember] = []
  /// Whether it waits for the main actor or is with it.
  final private(set) var isServing = false
  /// In which scopes it is counted as busy.
  private var counted: [Scope] = []
  /// The views that get the present value, and how far that is.
  private var round: [ViewMember] = []
  private var chunk = 0..<0
  /// Whether a view may have ended that the round includes.
  private var mayHaveEnded = false
  /// Which of the chunk, by bit, are about to get the value, or are getting it.
  private var committed: UInt64 = 0
  private var shown: UnsafeRawPointer?

  /// So many views are committed under one holding of the lock.
  private static let chunkSize = UInt64.bitWidth

  /// A value has come.
  func valueArrived(_ value: UnsafeRawPointer) { preconditionFailure("a group has a type") }
  /// Whether a value waits.
  var hasValue: Bool { preconditionFailure("a group has a type") }
  /// Takes the value that waits; it stays where it is until the next is taken.
  func takeValue() -> UnsafeRawPointer? { preconditionFailure("a group has a type") }

  final var isEmpty: Bool { views.isEmpty }
  final var last: (any Attachment)? { views.last }

  final func forEach(_ body: (any Attachment) -> Void) { views.forEach(body) }

  // MARK: Members

  final func add(_ view: ViewMember) {
    view.place.index = views.count
    if views.isEmpty {
      commonScope = view.scope
    } else if view.scope !== commonScope {
      commonScope = nil
    }
    views.append(view)
  }

  final func remove(_ attachment: any Attachment) {
    mayHaveEnded = true
    let index = attachment.place.index
    views.swapAt(index, views.count - 1)
    views.removeLast()
    if index < views.count { views[index].place.index = index }
  }

  // MARK: Values

  final func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    valueArrived(slice)
    if hasValue { serve(engine, outcome) }
  }

  /// A view was connected, and gets what the slice is now.
  final func viewArrived(_ view: ViewMember, _ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome)
  {
    valueArrived(slice)
    fresh.append(view)
    serve(engine, outcome)
    count(view.scope, engine)
  }

  private func serve(_ engine: Engine, _ outcome: Outcome) {
    if isServing { return }
    isServing = true
    if let commonScope {
      count(commonScope, engine)
    } else {
      for view in views where view.scope !== counted.last { count(view.scope, engine) }
    }
    engine.serveOnMain(self, outcome)
  }

  private func count(_ scope: Scope, _ engine: Engine) {
    if counted.contains(where: { $0 === scope }) { return }
    counted.append(scope)
    engine.count(scope, by: 1)
  }

  // MARK: Showing

  final func commitNext(_ engine: Engine) -> Bool {
    endChunk(engine)
    if chunk.endIndex == round.count {
      let isRoundOver = !round.isEmpty
      round = []
      chunk = 0..<0
      // What changes all the time lets others have the main actor in between.
      if isRoundOver, hasMore {
        engine.tables.views.comesAgain(self)
        return false
      }
      guard beginRound() else {
        end(engine)
        return false
      }
    }
    chunk = chunk.endIndex..<min(chunk.endIndex + Self.chunkSize, round.count)
    commitChunk(engine)
    return true
  }

  private func commitChunk(_ engine: Engine) {
    committed = isAnyEnded ? thoseNotEnded : ~0 >> UInt64(UInt64.bitWidth - chunk.count)
    if engine.progress.pointee.isObserved { forEachCommitted { engine.emitUpdate($0.place) } }
  }

  private var isAnyEnded: Bool { mayHaveEnded || counted.contains { $0.any(\.isEnded) } }

  private var thoseNotEnded: UInt64 {
    var bits: UInt64 = 0
    for (offset, view) in round[chunk].enumerated() where !view.hasEnded && !view.scope.any(\.isEnded) {
      bits |= 1 << UInt64(offset)
    }
    return bits
  }

  private func forEachCommitted(_ body: (ViewMember) -> Void) {
    var bits = committed
    while bits != 0 {
      body(round[chunk.startIndex + bits.trailingZeroBitCount])
      bits &= bits - 1
    }
  }

  final func isCommitted(_ view: ViewMember) -> Bool {
    var isFound = false
    forEachCommitted { if $0 === view { isFound = true } }
    return isFound
  }

  private var hasMore: Bool { hasValue || !fresh.isEmpty }

  /// Begins with the next value and all views, or else with the present one and those that are fresh.
  private func beginRound() -> Bool {
    guard hasMore else { return false }
    if hasValue {
      shown = takeValue()
      round = views
      mayHaveEnded = false
    } else {
      round = fresh
    }
    fresh = []
    return true
  }

  private func endChunk(_ engine: Engine) {
    dropEnded(engine)
    committed = 0
  }

  private func dropEnded(_ engine: Engine) {
    guard mayHaveEnded else { return }
    for (offset, view) in round[chunk].enumerated()
    where view.hasEnded && committed & 1 << UInt64(offset) != 0 {
      committed &= ~(1 << UInt64(offset))
      engine.workEnded(of: view)
    }
  }

  private func end(_ engine: Engine) {
    isServing = false
    for scope in counted { engine.count(scope, by: -1) }
    counted = []
    engine.checkWaiters()
  }

  @MainActor final func show(_ engine: Engine, _ showing: Showing) -> Bool {
    guard let shown else { preconditionFailure("a value is committed before it is shown") }
    var areAllThere = true
    // The array keeps them, so that no references need be counted.
    round[chunk].withUnsafeBufferPointer { views in
      views.withMemoryRebound(to: Unmanaged<ViewMember>.self) { views in
        for (offset, view) in views.enumerated() where committed & 1 << UInt64(offset) != 0 {
          if !view._withUnsafeGuaranteedRef({ $0.show(shown) }) { areAllThere = false }
          // What the main actor itself has disconnected gets nothing any more.
          if showing.wasDisturbed() { engine.locked { _ in dropEnded(engine) } }
        }
      }
    }
    return areAllThere
  }
}

/// The same with the type of the values, which is needed once for all views.
final class TypedViewGroup<Props: Equatable & Sendable>: ViewGroup, @unchecked Sendable {  // as ViewGroup
  private let conflation = Conflation<Props>()

  deinit { conflation.destroy() }

  override func valueArrived(_ value: UnsafeRawPointer) {
    _ = conflation.valueArrived(value.assumingMemoryBound(to: Props.self))
  }

  override var hasValue: Bool { conflation.hasPending }
  override func takeValue() -> UnsafeRawPointer? { conflation.servingAdvanced().map { UnsafeRawPointer($0) } }
}

/// What is connected to one slice and told of its values together.
protocol DisplayGroup: AnyObject {
  var isEmpty: Bool { get }
  var last: (any Attachment)? { get }
  func forEach(_ body: (any Attachment) -> Void)
  func remove(_ attachment: any Attachment)
  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome)
}

/// An attachment that is told of values by a group.
protocol GroupedDisplay: Attachment {
  /// Becomes a member of `group`, or of a new one.
  func join(_ group: (any DisplayGroup)?) -> any DisplayGroup
}
