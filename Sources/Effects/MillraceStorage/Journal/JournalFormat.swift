import Foundation

/// The format of the entries of a journal: its version, and the conversion of keys and values to bytes and back.
public struct JournalFormat<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The version that is written. A file with an entry of a higher version is refused and left unchanged.
  public var version: UInt32
  /// The oldest version that is decoded. A file with an entry of a lower version is refused and left unchanged.
  public var oldestVersion: UInt32
  /// Encodes a key.
  public var encodeKey: @Sendable (Key) throws -> Data
  /// Encodes a value.
  public var encodeValue: @Sendable (Value) throws -> Data
  /// Decodes a key that was written with the given version, from the oldest to the current one.
  public var decodeKey: @Sendable (Data, UInt32) throws -> Key
  /// Decodes a value that was written with the given version, from the oldest to the current one. If it throws for an
  /// older version, the file is left unchanged.
  public var decodeValue: @Sendable (Data, UInt32) throws -> Value

  /// Makes a format. All closures are called on the queue of the storage.
  public init(
    version: UInt32, oldestVersion: UInt32 = 0, encodeKey: @escaping @Sendable (Key) throws -> Data,
    encodeValue: @escaping @Sendable (Value) throws -> Data,
    decodeKey: @escaping @Sendable (Data, UInt32) throws -> Key,
    decodeValue: @escaping @Sendable (Data, UInt32) throws -> Value
  ) {
    self.version = version
    self.oldestVersion = oldestVersion
    self.encodeKey = encodeKey
    self.encodeValue = encodeValue
    self.decodeKey = decodeKey
    self.decodeValue = decodeValue
  }

  /// Makes a format from one for keys and one for values. Its version is that of the values.
  init(keys: StorageFormat<Key>, values: StorageFormat<Value>) {
    self.init(
      version: values.version, oldestVersion: values.oldestVersion, encodeKey: keys.encode,
      encodeValue: values.encode, decodeKey: keys.decode, decodeValue: values.decode)
  }
}

extension JournalFormat where Key: Codable {
  /// Returns the next version of this format: another type of value, and its migration from the type of this version.
  ///
  /// An entry of any version since the oldest passes through all migrations in between. The first append after a load
  /// of older entries rewrites the file. If `migrate` throws, loading fails with
  /// ``StorageFailure/notMigratable(_:from:reason:)``, and the file is left unchanged.
  public func migrating<New: Codable & Sendable>(
    to type: New.Type = New.self, _ migrate: @escaping @Sendable (Value) throws -> New
  ) -> JournalFormat<Key, New> {
    let values = StorageFormat<Value>(
      version: version, oldestVersion: oldestVersion, encode: encodeValue, decode: decodeValue
    ).migrating(to: type, migrate)
    let keys = StorageFormat(
      version: version, oldestVersion: oldestVersion, encode: encodeKey, decode: decodeKey)
    return JournalFormat<Key, New>(keys: keys, values: values)
  }
}

extension JournalFormat where Key: Codable, Value: Codable {
  /// A format that writes each key and each value as JSON with sorted keys.
  ///
  /// - Parameters:
  ///   - version: the version that is written.
  ///   - oldestVersion: the oldest version whose entries the types can decode unchanged. Pass `version` itself if a
  ///     type has changed and there is no `migrating(to:_:)` from the old one.
  public static func json(version: UInt32 = 1, oldestVersion: UInt32 = 0) -> JournalFormat {
    JournalFormat(
      keys: .json(version: version, oldestVersion: oldestVersion),
      values: .json(version: version, oldestVersion: oldestVersion))
  }
}
