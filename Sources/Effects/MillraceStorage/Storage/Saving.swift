/// A value in the state that a ``StorageEffect`` keeps in a file.
///
/// ```swift
/// var notes = Saving(Notes())  // not loaded yet, so nothing is saved
/// notes.loaded(stored) { stored, changed in Notes(lines: stored.lines + changed.lines) }
/// notes.save { $0.lines.append("milk") }  // in the reducer: changes the value and asks for a save
/// notes.reduce(event)  // in the reducer: applies an event of the effect
/// ```
///
/// If nothing is changed before the file has been loaded, use `notes = Saving(stored, or: Notes())`.
public struct Saving<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The current value, saved or not.
  public private(set) var value: Value
  /// The number of the current value; each change that asks for a save increases it by one.
  public private(set) var generation: UInt64
  /// The number of the newest value that is known to be on disk.
  public private(set) var savedGeneration: UInt64
  /// Whether the stored value has been loaded. Nothing is saved before.
  public private(set) var isLoaded: Bool
  /// The failure of the last save. Nothing more is saved until the value changes or `retry()` is called.
  public private(set) var failure: StorageFailure?
  /// The number of the attempt to save the current value, from 1.
  public private(set) var attempt = 1
  /// The newest value that is known to be on disk; `nil` if none is.
  ///
  /// Work that the state asks for by this value is still asked for after a restart of the program: see `whenSaved()`.
  /// It costs no memory while it shares its storage with the current value.
  public private(set) var stored: Value?
  /// The number of `stored`.
  private(set) var storedGeneration: UInt64 = 0
  /// The save that a run has begun, or that it makes next. The state asks for it unchanged until the run reports its
  /// result, since only then is it known which value is on disk.
  private var begun: SaveRequest<Value>?

  /// Makes a value whose stored version has not been loaded. Changes are saved after it has been loaded.
  public init(_ value: Value) {
    self.value = value
    generation = 0
    savedGeneration = 0
    isLoaded = false
  }

  /// Makes a value from a loaded one, or from `initial` if nothing usable was stored.
  public init(_ stored: StoredValue<Value>, or initial: @autoclosure () -> Value) {
    value = stored.value ?? initial()
    generation = stored.generation
    savedGeneration = stored.generation
    isLoaded = true
    (self.stored, storedGeneration) = (stored.value, stored.generation)
  }

  /// Applies the loaded value, the first time or after ``StorageFailure/notLoaded(_:)``.
  ///
  /// - Parameter merge: merges the stored value and the current one; called only if the current one was changed
  ///   before the stored one was loaded.
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
    (self.stored, storedGeneration, begun) = (stored.value, stored.generation, nil)
  }

  /// Makes a value in any condition, for tests.
  ///
  /// - Parameters:
  ///   - stored: the newest value that is known to be on disk as it is.
  ///   - storedGeneration: the number of that value.
  ///   - begun: the save that a run has begun.
  public init(
    value: Value, generation: UInt64, savedGeneration: UInt64, isLoaded: Bool, failure: StorageFailure? = nil,
    attempt: Int = 1, stored: Value? = nil, storedGeneration: UInt64 = 0, begun: SaveRequest<Value>? = nil
  ) {
    (self.value, self.generation, self.savedGeneration) = (value, generation, savedGeneration)
    (self.isLoaded, self.failure, self.attempt) = (isLoaded, failure, attempt)
    (self.stored, self.storedGeneration, self.begun) = (stored, storedGeneration, begun)
  }

  /// Whether nothing is to be saved: the current value is on disk, or nothing was changed since the beginning. In the
  /// second case there may be no file, and ``stored`` is `nil`.
  public var isSaved: Bool { savedGeneration == generation }

  /// Whether `stored` is the current value.
  var isStored: Bool { stored != nil && storedGeneration == generation }

  private var newest: SaveRequest<Value> {
    SaveRequest(value: value, generation: generation, attempt: attempt)
  }

  /// The request for the effect, if there is a value to save.
  public var wanted: SaveRequest<Value>? {
    !isLoaded || isSaved || failure != nil ? nil : begun ?? newest
  }

  /// Changes the value, and asks for a save if it differs afterwards. A closure that leaves it equal asks for none.
  public mutating func save(_ change: (inout Value) throws -> Void) rethrows {
    let old = value
    try change(&value)
    guard value != old else { return }
    generation += 1
    (failure, attempt) = (nil, 1)
  }

  /// Asks for the failed save again.
  public mutating func retry() {
    guard failure != nil else { return }
    failure = nil
    attempt += 1
  }

  /// Applies an event of the ``StorageEffect``.
  public mutating func reduce(_ event: StorageEvent) {
    switch event {
    case .began(let generation):
      // If the run has begun an older save, the newest value is saved next. The request stays unchanged until the run
      // begins it.
      if generation <= self.generation, begun?.generation != generation { begun = newest }
    case .saved(let generation):
      savedGeneration = max(savedGeneration, min(generation, self.generation))
      if generation == self.generation {
        (stored, storedGeneration) = (value, generation)
      } else if let begun, begun.generation == generation {
        (stored, storedGeneration) = (begun.value, generation)
      }
      if let begun, begun.generation <= generation { self.begun = nil }
    case .failed(let failure, let generation, let attempt):
      if begun?.generation == generation { begun = nil }
      // The file is not the one that was loaded.
      if case .notLoaded = failure { isLoaded = false }
      guard generation == self.generation, attempt == self.attempt, !isSaved else { return }
      self.failure = failure
    }
  }
}

extension Saving: Hashable where Value: Hashable {}

/// A save that a ``Saving`` asks for.
public struct SaveRequest<Value: Equatable & Sendable>: Hashable, Sendable {
  /// The value to save.
  public var value: Value
  /// The number of the value.
  public var generation: UInt64
  /// The number of the attempt, from 1.
  public var attempt: Int

  /// Makes a request, for tests that call a ``StorageEffect`` without a store.
  public init(value: Value, generation: UInt64, attempt: Int = 1) {
    self.value = value
    self.generation = generation
    self.attempt = attempt
  }

  /// Hashes only the numbers, which identify the value within one ``Saving``.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(generation)
    hasher.combine(attempt)
  }
}

// Recordings encode the whole `Saving`, to restore a state exactly. The file contains the value alone.
extension Saving: Codable where Value: Codable {}
extension SaveRequest: Codable where Value: Codable {}
