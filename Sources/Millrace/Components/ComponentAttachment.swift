/// A component in its place, without its type, which costs time where many are handled: the shell around its
/// conflation.
///
/// All of it lies in one piece of memory, and is reached by pointer, for the reasons that a `Node` has. The fields are
/// guarded by the engine's turn lock, but for what is immutable.
class ServedComponent: Attachment, CountedWork, @unchecked Sendable {  // touched with the turn lock held
  /// A managed buffer of a class of its own, since `ManagedBuffer` says that it is not `Sendable`.
  typealias Memory = ManagedBufferPointer<Fields, UInt64>

  struct Fields {
    // All that every update touches, so that it does not touch the place. No references are counted that need not be.
    /// Kept by the place.
    let scope: Unmanaged<Scope>
    /// Kept by this.
    let component: Unmanaged<AnyObject>
    /// Where the conflation is, behind the fields.
    let conflation: UnsafeMutableRawPointer
    let isBackground: Bool
    var isCounted = false
    let place: Place
  }

  final var fields: UnsafeMutablePointer<Fields> {
    @inline(__always) get { Memory(unsafeBufferObject: self).withUnsafeMutablePointerToHeader { $0 } }
  }

  deinit {
    fields.pointee.component.release()
    fields.deinitialize(count: 1)
  }

  final var place: Place { fields.pointee.place }
  final var scope: Scope { place.scope }
  final var isCounted: Bool { fields.pointee.isCounted }

  /// - Returns: whether serving has to begin.
  func valueArrived(_ value: UnsafeRawPointer) -> Bool { preconditionFailure("a component has a type") }
  /// Takes the next props, which stay where they are until the update with them has ended; `false` if there are none,
  /// and serving has ended.
  func advance() -> Bool { preconditionFailure("a component has a type") }
  /// - Returns: whether serving has ended, since no props wait.
  func endServing() -> Bool { preconditionFailure("a component has a type") }
  /// Whether somebody is serving it, or is to.
  var isServing: Bool { preconditionFailure("a component has a type") }
  /// Nothing more is given.
  func conflationEnded() { preconditionFailure("a component has a type") }

  /// Makes the update of `first`, at which `server` is, and those that follow, as long as the components are of this
  /// type. Called with no lock held.
  ///
  /// - Returns: the next, of another type; `nil` if there is none, or an update has left `mark` with a task that may
  ///   outlive it.
  nonisolated(nonsending) class func update(
    _ first: consuming ServedComponent, by server: ComponentServer, under mark: UpdateMark
  ) async -> ServedComponent? {
    preconditionFailure("a component has a type")
  }

  /// Touches what it refers to, once it was touched itself.
  @inline(__always)
  final func touchReferences(_ ahead: inout LookAhead) {
    ahead.touch(fields.pointee.scope.toOpaque())
    ahead.touch(fields.pointee.component.toOpaque())
  }

  /// Whether it is connected to a part of the state that is gone.
  final var isScopeEnded: Bool { fields.pointee.scope._withUnsafeGuaranteedRef { $0.any(\.isEnded) } }

  /// Counts what is under way of it.
  private func count(_ engine: Engine, by difference: Int) {
    fields.pointee.scope._withUnsafeGuaranteedRef { engine.count($0, by: difference) }
  }

  final func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    sliceChanged(slice, engine, outcome)
  }

  final func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    guard valueArrived(slice) else { return }
    fields.pointee.isCounted = !fields.pointee.isBackground
    if isCounted { count(engine, by: 1) }
    engine.tables.components.pointee.componentArrived(self)
  }

  /// Takes its next props for an update; `false` if there are none, and its serving has ended.
  final func commitNext(_ engine: Engine) -> Bool {
    // What ended before this look is not committed.
    if isScopeEnded { conflationEnded() }
    if advance() {
      engine.emitUpdate(place)
      return true
    }
    uncount(engine)
    return false
  }

  /// Its update has ended.
  ///
  /// - Returns: whether it has got nothing more meanwhile, and its serving has ended, too.
  final func updateEnded(_ engine: Engine) -> Bool {
    guard endServing() else { return false }
    uncount(engine)
    return true
  }

  private func uncount(_ engine: Engine) {
    if isCounted { count(engine, by: -1) }
    fields.pointee.isCounted = false
  }

  final func ended(_ engine: Engine, _ outcome: Outcome) {
    conflationEnded()
    engine.dropFromShares { $0 === self }
    if isServing, !isCounted {
      fields.pointee.isCounted = true  // what is under way is waited for, even where the component is not
      count(engine, by: 1)
    }
  }

  final var work: [any CountedWork] { isServing ? [self] : [] }

  final var activity: [StoreActivity.Work] {
    guard isServing else { return [] }
    return [StoreActivity.Work(phase: .running, generation: nil, request: "update")]
  }
}

/// The same with its type.
///
/// Touched with the turn lock held, but that an update reads where its props lie, which is moved on only after it.
final class ComponentAttachment<C: Component>: ServedComponent, @unchecked Sendable {  // turn lock, as said
  static func make(_ component: C, at place: Place) -> ServedComponent {
    let (size, alignment) = Conflation<C.Props>.memory
    let words = TailMemory.words(size: size, alignment: alignment)
    let made = Memory(bufferClass: Self.self, minimumCapacity: words) { object, _ in
      let memory = Memory(unsafeBufferObject: object).withUnsafeMutablePointerToElements {
        TailMemory.aligned($0, to: alignment)
      }
      Conflation<C.Props>(existingAt: memory).initialize()
      return Fields(
        scope: .passUnretained(place.scope), component: .passRetained(component), conflation: memory,
        isBackground: place.isBackground, place: place)
    }
    return unsafeDowncast(made.buffer, to: Self.self)  // made of this very class
  }

  deinit { conflation.deinitialize() }

  private var conflation: Conflation<C.Props> {
    @inline(__always) get { Conflation(existingAt: fields.pointee.conflation) }
  }

  private var component: C {
    // Which it is made with.
    @inline(__always) get { unsafeDowncast(fields.pointee.component.takeUnretainedValue(), to: C.self) }
  }

  override func valueArrived(_ value: UnsafeRawPointer) -> Bool {
    conflation.valueArrived(value.assumingMemoryBound(to: C.Props.self))
  }

  override func advance() -> Bool { conflation.servingAdvanced() != nil }

  override func endServing() -> Bool {
    if conflation.hasPending { return false }
    _ = conflation.servingAdvanced()
    return true
  }

  override var isServing: Bool { conflation.isServing }
  override func conflationEnded() { conflation.connectionEnded() }

  override nonisolated(nonsending) class func update(
    _ first: consuming ServedComponent, by server: ComponentServer, under mark: UpdateMark
  ) async -> ServedComponent? {
    let holders = mark.holderCount
    var next: ServedComponent? = consume first  // lest it be kept as long as the others are updated
    while let served = next.take() {
      guard type(of: served) == Self.self else { return served }
      let attachment = unsafeDowncast(consume served, to: Self.self)
      await attachment.component.update(attachment.conflation.given.pointee)
      // Kept until its server is past it.
      next = withExtendedLifetime(attachment) {
        mark.holderCount == holders ? server.advance() : server.updateEnded()
      }
    }
    return nil
  }
}
