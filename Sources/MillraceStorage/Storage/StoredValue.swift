/// What was found when a stored value was loaded.
public struct StoredValue<Value: Sendable>: Sendable {
  /// Which file a value came from.
  public enum Source: Hashable, Sendable {
    /// Nothing usable is stored.
    case nowhere
    /// The file.
    case current
    /// The generation before, because the file is damaged or missing.
    case previous
  }

  /// The value; `nil` if nothing usable is stored.
  public var value: Value?
  /// The generation of the value; 0 if there is none.
  public var generation: UInt64
  /// Where the value comes from.
  public var source: Source
  /// The files that could not be used. They were kept under other names.
  public var damaged: [DamagedFile]

  /// Makes a result, by default that of an empty folder.
  public init(
    value: Value? = nil, generation: UInt64 = 0, source: Source = .nowhere, damaged: [DamagedFile] = []
  ) {
    self.value = value
    self.generation = generation
    self.source = source
    self.damaged = damaged
  }
}

extension StoredValue: Equatable where Value: Equatable {}
