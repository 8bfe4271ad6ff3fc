import Millrace

/// The screens that a program wants, and the screens that its interface shows.
///
/// A reducer changes ``wanted``. A ``RoutingEffect`` makes the interface follow, one step at a time, and reports each
/// step, which changes ``shown``.
///
/// ```swift
/// struct State: Equatable, Sendable {
///   var navigation = Navigation<Screen>([.inbox])
///   var isSignedIn = false
///   var link: [Screen]?
/// }
/// ```
///
/// ```swift
/// case .messageTapped(let number): state.navigation.push(.message(number))
/// case .backTapped: state.navigation.pop()
/// ```
///
/// Each step is decided from what is shown and wanted at that time, so ``wanted`` may change while a step is in
/// progress. In the end the interface shows what is wanted. If the interface moves by itself, such as by a swipe back,
/// report that by ``dismissed(_:)`` or ``moved(to:)``. Both sides then change, and nothing is presented twice.
///
/// Only ``wanted`` is encoded. After a restart nothing is shown yet, and all wanted screens are presented again.
public struct Navigation<Screen: Hashable & Sendable>: Hashable, Sendable {
  /// A screen at its place on a path.
  public typealias Entry = ScreenPath<Screen>.Entry

  /// The screens that the program wants.
  public private(set) var wanted: ScreenPath<Screen>
  /// The screens that the interface shows, according to its reports, the newest last.
  public private(set) var shown: KeyedArray<Entry> = []
  /// The step that the interface performs now.
  public private(set) var step: Step?
  /// The step that has failed and is still wanted. No further step is decided until ``retry()`` or ``giveUp()`` is
  /// called, or another change is wanted.
  public private(set) var failure: Failure?
  private var stepCount: UInt64 = 0

  /// Wants these screens to be shown, the newest last. O(n)
  public init(_ screens: some Sequence<Screen>) { self.init(ScreenPath(screens)) }

  /// Wants a path to be shown, with the identities of its entries.
  public init(_ path: ScreenPath<Screen>) {
    wanted = path
    decide()
  }

  /// Makes a navigation in any condition, for tests.
  ///
  /// - Parameter stepCount: the number of the newest step.
  public init(
    wanted: ScreenPath<Screen>, shown: KeyedArray<Entry>, step: Step?, failure: Failure?, stepCount: UInt64
  ) {
    (self.wanted, self.shown) = (wanted, shown)
    (self.step, self.failure, self.stepCount) = (step, failure, stepCount)
  }

  /// Whether the interface shows exactly what is wanted. O(n)
  public var isSettled: Bool { step == nil && shown == wanted.entries }

  // MARK: Requested changes

  /// Wants another screen to be shown, above all others.
  ///
  /// - Returns: the identity of its entry.
  @discardableResult
  public mutating func push(_ screen: Screen) -> Entry.ID { want { $0.push(screen) } }

  /// Wants the newest screen to go, except the first one: a second tap on a back button must not empty a window. To
  /// remove the first screen, call ``remove(from:)`` or ``show(_:)``.
  public mutating func pop() { want { if $0.entries.count > 1 { $0.pop() } } }

  /// Wants all screens above this entry to go. Does nothing if the entry is not wanted.
  public mutating func pop(to id: Entry.ID) { want { $0.pop(to: id) } }

  /// Wants this entry to go, and all above it. Does nothing if the entry is not wanted.
  public mutating func remove(from id: Entry.ID) { want { $0.remove(from: id) } }

  /// Wants this entry to show another screen, at its place. Does nothing if the entry is not wanted.
  public mutating func change(_ id: Entry.ID, to screen: Screen) { want { $0.change(id, to: screen) } }

  /// Wants exactly these screens to be shown, such as for a link. Entries that already show the same screens are kept,
  /// from the first one on; the others are replaced.
  public mutating func show(_ screens: some Sequence<Screen>) { want { $0.show(screens) } }

  /// Tries the failed step again, from what is shown now. Does nothing if no step has failed.
  public mutating func retry() {
    failure = nil
    decide()
  }

  /// Wants what is shown, if a step has failed.
  public mutating func giveUp() {
    guard failure != nil else { return }
    want { [shown] in $0.restore(shown) }
  }

  // MARK: Reports of the interface

  /// The interface has removed this entry by itself, and all entries above it.
  ///
  /// These entries, and all that were wanted above them, are then neither shown nor wanted. If a step in progress
  /// concerns such an entry, the step is stopped; this includes one that pushes this entry. A failed step is decided
  /// anew. Report it before a later step of the interface returns.
  public mutating func dismissed(_ id: Entry.ID) {
    var gone: Set = [id]
    if let index = shown.index(id: id) {
      gone.formUnion(shown[index...].map(\.id))
      for id in gone { shown.remove(id: id) }
      failure = nil
    }
    if let entry = step?.change.entry, gone.contains(entry.id) { step = nil }
    want { $0.remove(from: id) }
  }

  /// The interface has moved by itself and shows these screens, which are then wanted, too. Entries that already show
  /// the same screens are kept, from the first one on.
  public mutating func moved(to screens: some Sequence<Screen>) {
    var path = wanted
    path.restore(shown)
    path.show(screens)
    (shown, failure) = (path.entries, nil)
    want { $0 = path }
  }

  /// Nothing is shown any more, for instance since the interface was made anew. All wanted screens are presented from
  /// the beginning. A step in progress is stopped.
  public mutating func reset() {
    (shown, step, failure) = ([], nil, nil)
    decide()
  }

  /// Applies the report of a ``RoutingEffect``. O(n)
  public mutating func reduce(_ action: Action) {
    guard let step, step.number == action.number else { return }
    self.step = nil
    switch action {
    case .performed: step.change.perform(on: &shown)
    case .failed(_, let reason):
      // If another change is wanted by now, that is tried instead.
      if Step.Change(from: shown, to: wanted.entries) == step.change {
        failure = Failure(step: step, reason: reason)
      }
    }
    decide()
  }

  private mutating func want<Result>(_ change: (inout ScreenPath<Screen>) -> Result) -> Result {
    let before = wanted.entries
    let result = change(&wanted)
    if wanted.entries != before { failure = nil }
    decide()
    return result
  }

  /// Decides the next step, unless one is in progress, one has failed, or none is needed.
  private mutating func decide() {
    guard step == nil, failure == nil, let change = Step.Change(from: shown, to: wanted.entries) else {
      return
    }
    var after = shown
    change.perform(on: &after)
    stepCount += 1
    step = Step(number: stepCount, change: change, isLast: after == wanted.entries)
  }
}

extension Navigation: Encodable where Screen: Encodable {
  /// Encodes what is wanted.
  public func encode(to encoder: any Encoder) throws { try wanted.encode(to: encoder) }
}

extension Navigation: Decodable where Screen: Decodable {
  /// Decodes what is wanted. Nothing is shown.
  ///
  /// - Throws: the errors of decoding a `ScreenPath`.
  public init(from decoder: any Decoder) throws { self.init(try ScreenPath<Screen>(from: decoder)) }
}
