import Foundation

/// How an entry is written in a journal: the version of its layout, and how key and value become bytes and back.
public struct JournalFormat<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The version of the layout that is written. A file with an entry of a higher one is not touched.
  public var version: UInt32
  /// The oldest version that is decoded; a file with an entry of a lower one is not touched.
  public var oldestVersion: UInt32
  /// Makes the bytes of a key.
  public var encodeKey: @Sendable (Key) throws -> Data
  /// Makes the bytes of a value.
  public var encodeValue: @Sendable (Value) throws -> Data
  /// Makes a key of the bytes that were written with a version, from the oldest to the current one.
  public var decodeKey: @Sendable (Data, UInt32) throws -> Key
  /// Makes a value of the bytes that were written with a version, from the oldest to the current one. Where it
  /// throws for an older one, the file is left as it is.
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

  /// Makes a format of one for keys and one for values, which have one version.
  init(keys: StorageFormat<Key>, values: StorageFormat<Value>) {
    self.init(
      version: values.version, oldestVersion: values.oldestVersion, encodeKey: keys.encode,
      encodeValue: values.encode, decodeKey: keys.decode, decodeValue: values.decode)
  }
}

extension JournalFormat where Key: Codable {
  /// The next version of this format: another type of value, and how one is made of one of this version.
  ///
  /// An entry of any version since the oldest goes through all the steps between. The first append after a load
  /// that has found older entries rewrites the file. Where `migrate` throws, loading fails with
  /// ``StorageFailure/notMigratable(_:from:reason:)``, and the file is left as it is.
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
  /// JSON with its keys in order, for each key and each value.
  ///
  /// - Parameters:
  ///   - version: the version that is written.
  ///   - oldestVersion: the oldest version whose entries the types can be decoded from as they are. Give `version`
  ///     itself where a type has changed and `migrating(to:_:)` does not lead here.
  public static func json(version: UInt32 = 1, oldestVersion: UInt32 = 0) -> JournalFormat {
    JournalFormat(
      keys: .json(version: version, oldestVersion: oldestVersion),
      values: .json(version: version, oldestVersion: oldestVersion))
  }
}
