/// The result of loading a stored value.
public struct StoredValue<Value: Sendable>: Sendable {
  /// The file from which a value was loaded.
  public enum Source: Codable, Hashable, Sendable {
    /// There is no usable file.
    case nowhere
    /// The file itself.
    case current
    /// The file of the previous save, because the newest one is damaged or missing.
    case previous
  }

  /// The value; `nil` if nothing usable is stored.
  public var value: Value?
  /// The generation of the value; 0 if there is none.
  public var generation: UInt64
  /// The file from which the value was loaded.
  public var source: Source
  /// The files that could not be used. They were moved aside.
  public var damaged: [DamagedFile]

  /// Makes a result, by default one without a value, for tests.
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
extension StoredValue: Hashable where Value: Hashable {}

extension StoredValue: Codable where Value: Codable {}
