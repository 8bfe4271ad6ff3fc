import Foundation

/// How a value is written in a file: the version of its layout, and how it becomes bytes and back.
public struct StorageFormat<Value: Sendable>: Sendable {
  /// The version of the layout that is written. A file of a higher one is not touched.
  public var version: UInt32
  /// The oldest version that `decode` is given; a file of a lower one is not touched.
  public var oldestVersion: UInt32
  /// Makes the bytes of a value.
  public var encode: @Sendable (Value) throws -> Data
  /// Makes a value of the bytes that were written with a version, from the oldest to the current one. Where it
  /// throws for an older one, the file is left as it is.
  public var decode: @Sendable (Data, UInt32) throws -> Value

  /// Makes a format.
  public init(
    version: UInt32, oldestVersion: UInt32 = 0, encode: @escaping @Sendable (Value) throws -> Data,
    decode: @escaping @Sendable (Data, UInt32) throws -> Value
  ) {
    self.version = version
    self.oldestVersion = oldestVersion
    self.encode = encode
    self.decode = decode
  }
}

extension StorageFormat {
  /// The next version of this format: another type, and how its value is made of one of this version.
  ///
  /// A file of any version since the oldest goes through all the steps between. Write each step once, and leave
  /// it and the types it names as they are:
  ///
  /// ```swift
  /// let format = StorageFormat<NotesV1>.json()
  ///   .migrating(to: NotesV2.self) { old in NotesV2(lines: [old.text]) }
  ///   .migrating(to: NotesV3.self) { old in NotesV3(lines: old.lines, title: old.lines.first ?? "") }
  /// let storage = FileStorage(at: path, format: format)
  /// ```
  ///
  /// The file becomes one of the new version with the next save. `migrate` is called on the queue of the storage.
  /// Where it throws, loading and saving fail with ``StorageFailure/notMigratable(_:from:reason:)``, and the file is
  /// left as it is.
  public func migrating<New: Codable & Sendable>(
    to type: New.Type = New.self, _ migrate: @escaping @Sendable (Value) throws -> New
  ) -> StorageFormat<New> {
    let (version, decodeOld) = (version, decode)
    let new = StorageFormat<New>.json(version: version + 1)
    return StorageFormat<New>(
      version: new.version, oldestVersion: oldestVersion, encode: new.encode,
      decode: { data, found in
        found > version ? try new.decode(data, found) : try migrate(decodeOld(data, found))
      })
  }
}

extension StorageFormat where Value: Codable {
  /// JSON with its keys in order.
  ///
  /// - Parameters:
  ///   - version: the version that is written.
  ///   - oldestVersion: the oldest version whose files the type can be decoded from as it is. Give `version`
  ///     itself where the type has changed and `migrating(to:_:)` does not lead here.
  public static func json(version: UInt32 = 1, oldestVersion: UInt32 = 0) -> StorageFormat {
    StorageFormat(
      version: version, oldestVersion: oldestVersion,
      encode: { value in
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
      },
      decode: { data, _ in try JSONDecoder().decode(Value.self, from: data) })
  }
}
