/// A value in the state that is kept in a file by a ``StorageEffect``.
///
/// ```swift
/// var notes = Saving(Notes())  // of which it is not known what is stored: nothing is saved yet
/// notes.loaded(stored) { stored, changed in Notes(lines: stored.lines + changed.lines) }
/// notes.save { $0.lines.append("milk") }  // in the reducer: changes the value and asks for it to be saved
/// notes.reduce(event)  // in the reducer: what came of it
/// ```
///
/// Where nothing is changed before the file was loaded, `notes = Saving(stored, or: Notes())` will do.
public struct Saving<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The value as it is now, saved or not.
  public private(set) var value: Value
  /// The number of the value: grows by one with every save that is asked for.
  public private(set) var generation: UInt64
  /// The number of the newest value that is known to be on the medium.
  public private(set) var savedGeneration: UInt64
  /// Whether it is known what is stored. Nothing is saved until it is.
  public private(set) var isLoaded: Bool
  /// Why the last save did not succeed; nothing more is saved until the value changes or `retry()` asks again.
  public private(set) var failure: StorageFailure?
  /// How often the save of this generation has been asked for, from 1.
  public private(set) var attempt = 1

  /// A value of which it is not known whether one is stored. What is changed is saved once it was loaded.
  public init(_ value: Value) {
    self.value = value
    generation = 0
    savedGeneration = 0
    isLoaded = false
  }

  /// What was loaded, or `initial` where nothing usable was stored.
  public init(_ stored: StoredValue<Value>, or initial: @autoclosure () -> Value) {
    value = stored.value ?? initial()
    generation = stored.generation
    savedGeneration = stored.generation
    isLoaded = true
  }

  /// Takes in what was stored, the first time or after ``StorageFailure/notLoaded(_:)``.
  ///
  /// - Parameter merge: makes one value of the stored one and of the present one; called where the present one was
  ///   changed before it was known what is stored.
  public mutating func loaded(
    _ stored: StoredValue<Value>, merging merge: (_ stored: Value, _ changed: Value) throws -> Value
  ) rethrows {
    guard !isLoaded else { return }
    let isChanged = !isSaved
    let kept = try stored.value.map { isChanged ? try merge($0, value) : $0 } ?? value
    let isKept = stored.value.map { $0 == kept } ?? !isChanged
    value = kept
    savedGeneration = stored.generation
    generation = isKept ? stored.generation : stored.generation + 1
    (isLoaded, failure, attempt) = (true, nil, 1)
  }

  /// Whether the medium has the value as it is now.
  public var isSaved: Bool { savedGeneration == generation }

  /// The save to make now, if any.
  public var wanted: SaveRequest<Value>? {
    !isLoaded || isSaved || failure != nil
      ? nil : SaveRequest(value: value, generation: generation, attempt: attempt)
  }

  /// Changes the value, and asks for it to be saved if it became another.
  public mutating func save(_ change: (inout Value) throws -> Void) rethrows {
    let old = value
    try change(&value)
    guard value != old else { return }
    generation += 1
    (failure, attempt) = (nil, 1)
  }

  /// Asks again for a save that failed.
  public mutating func retry() {
    guard failure != nil else { return }
    failure = nil
    attempt += 1
  }

  /// Takes in what a ``StorageEffect`` sent.
  public mutating func reduce(_ event: StorageEvent) {
    switch event {
    case .saved(let generation):
      savedGeneration = max(savedGeneration, min(generation, self.generation))
    case .failed(let failure, let generation, let attempt):
      // There is another file than the one that was loaded.
      if case .notLoaded = failure { isLoaded = false }
      guard generation == self.generation, attempt == self.attempt, !isSaved else { return }
      self.failure = failure
    }
  }
}

/// One save that a ``Saving`` asks for.
public struct SaveRequest<Value: Equatable & Sendable>: Hashable, Sendable {
  /// What to save.
  public var value: Value
  /// The number of the value.
  public var generation: UInt64
  /// Which attempt this is, from 1.
  public var attempt: Int

  /// Makes a request, for tests that run a ``StorageEffect`` by hand.
  public init(value: Value, generation: UInt64, attempt: Int = 1) {
    self.value = value
    self.generation = generation
    self.attempt = attempt
  }

  /// Hashes the numbers alone, which identify the value among those of one ``Saving``.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(generation)
    hasher.combine(attempt)
  }
}
