import Millrace

/// An effect that serves only requests that the stored state asks for too. Made by `whenSaved()` and `whenSaved(_:)`.
public struct WhenSavedEffect<Base: EffectComponent, Value: Equatable & Sendable>: WrapperEffect {
  /// The saved value, and the progress of its saves.
  public typealias State = Saving<Value>
  /// The identities of the wrapped effect.
  public typealias ID = Base.ID
  /// The actions of the wrapped effect.
  public typealias Action = Base.Action

  /// The wrapped effect.
  public let base: Base
  let slice: @Sendable (Value) -> Base.State

  /// Returns the requests of the wrapped effect for which both the current value and the value on disk ask.
  ///
  /// For an effect with handover, returns the request of the value on disk, provided that the current value has a
  /// request with its identity.
  public func requests(in saving: Saving<Value>) -> Set<Base.Request> {
    guard let stored = saving.stored else { return [] }
    let current = slice(saving.value)
    return base.requests(in: current, stored: slice(stored), isSaved: saving.isStored)
  }
}

/// An effect that serves only requests that the entries of a journal on disk ask for too. Made by `whenSaved()`.
public struct WhenJournaledEffect<
  Base: EffectComponent, Key: Hashable & Sendable, Value: Equatable & Sendable
>:
  WrapperEffect
where Base.State == [Key: Value] {
  /// The entries, with what is known of their saves.
  public typealias State = Journaling<Key, Value>
  /// The identities of the wrapped effect.
  public typealias ID = Base.ID
  /// The actions of the wrapped effect.
  public typealias Action = Base.Action

  /// The wrapped effect.
  public let base: Base

  /// Returns the requests of the wrapped effect for which both the current entries and those on disk ask, as a
  /// ``WhenSavedEffect`` does.
  public func requests(in journaling: Journaling<Key, Value>) -> Set<Base.Request> {
    guard journaling.isLoaded else { return [] }
    return base.requests(
      in: journaling.entries, stored: journaling.stored, isSaved: journaling.isSaved)
  }
}

extension EffectComponent {
  /// Returns the requests for which both states ask. For an effect with handover, returns those of the stored state.
  fileprivate func requests(
    in state: State, stored: @autoclosure () -> State, isSaved: Bool
  ) -> Set<Request> {
    let current = requests(in: state)
    if isSaved || current.isEmpty { return current }
    let onDisk = requests(in: stored())
    if replacement == .restart { return onDisk.intersection(current) }
    let wanted = Set(current.map(id))
    return onDisk.filter { wanted.contains(id(of: $0)) }
  }

  /// Returns this effect for the entries of a journal, with each request served only once it is on disk.
  ///
  /// Works like `whenSaved()` for a saved value. The effect's own state is the dictionary:
  ///
  /// ```swift
  /// store.connect(LookUpEffect(service: service).whenSaved(), to: \.words, action: AppAction.lookedUp)
  /// store.connect(JournalEffect(storage), to: \.words.backlog, action: AppAction.journal)
  /// ```
  ///
  /// Here `words` is a `Journaling`. At each change the effect gets all entries, and the store keeps a copy of the
  /// dictionary. For thousands of entries, use a ``DurableOutbox``, whose cost is independent of its length.
  public func whenSaved<Key: Hashable & Sendable, Value: Equatable & Sendable>()
    -> WhenJournaledEffect<Self, Key, Value> where State == [Key: Value]
  {
    WhenJournaledEffect(base: self)
  }
}

extension EffectComponent {
  /// Returns this effect for a saved value, with each request served only once it is on disk.
  ///
  /// A request is served from the moment at which the value on disk asks for it, and only while the current value does
  /// too. If the program ends at any point, it asks for the request again when it has loaded its state. So nothing is
  /// sent that the restarted program does not know.
  ///
  /// ```swift
  /// store.connect(PostEffect(service: service).whenSaved(), to: \.drafts, action: AppAction.post)
  /// store.connect(StorageEffect(storage), to: \.drafts, action: AppAction.storage)
  /// ```
  ///
  /// Here `drafts` is a `Saving` of the effect's own state. A request that changes is stopped at once, and the changed
  /// one begins when it is on disk. A request that is handed over reaches its run when it is on disk.
  ///
  /// An effect that asks for the first entry of a queue serves the second when the end of the first is on disk. To send
  /// a queue without that wait, use a ``DurableOutbox``.
  ///
  /// Do not ask only while `Saving.isSaved` is true instead. That would stop all runs at every change of the value, and
  /// begin them again after its save.
  ///
  /// Evaluates the requests of the value on disk too, while it differs from the current one.
  public func whenSaved() -> WhenSavedEffect<Self, State> { WhenSavedEffect(base: self) { $0 } }

  /// Returns this effect for a part of a saved value, with each request served only once it is on disk.
  ///
  /// Works like `whenSaved()`, for an effect whose state is a part of what is saved:
  ///
  /// ```swift
  /// store.connect(PostEffect(service: service).whenSaved(\Mail.drafts), to: \.mail, action: AppAction.post)
  /// ```
  public func whenSaved<Value: Equatable & Sendable>(
    _ part: any KeyPath<Value, State> & Sendable
  ) -> WhenSavedEffect<Self, Value> {
    WhenSavedEffect(base: self) { $0[keyPath: part] }
  }
}
