import Millrace
import MillraceSpelling

/// A difference between what a file meant to an earlier version of a program and what it means to this version.
public struct KeptFileFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The difference in one line, with the path of the file. It is the reason why the file cannot be used, or the text
  /// of the first request that is missing or new.
  public let description: String

  private init(_ description: String) { self.description = description }

  /// Compares the requests of an effect, in the state made from a file, with the expected ones.
  ///
  /// - Parameter examine: reads the file; returns no contents if there is none.
  fileprivate static func verify<Effect: EffectComponent, Contents>(
    _ path: String, _ effect: Effect, _ expected: Set<Effect.Request>, _ state: (Contents) -> Effect.State,
    _ examine: () async throws(StorageFailure) -> (contents: Contents?, damage: DamagedFile.Reason?)
  ) async throws(KeptFileFailure) {
    let (contents, damage): (Contents?, DamagedFile.Reason?)
    do throws(StorageFailure) { (contents, damage) = try await examine() } catch {
      throw KeptFileFailure("\(error)")
    }
    if let damage { throw KeptFileFailure("\(damage.words): \(Spelling.visible(path))") }
    guard let contents else { throw KeptFileFailure("there is no file: \(Spelling.visible(path))") }
    let found = effect.requests(in: state(contents))
    func first(_ requests: Set<Effect.Request>) -> String? {
      requests.map { Spelling.text(of: $0) }.min()
    }
    let differences = [
      first(expected.subtracting(found)).map { "\(Effect.self) does not ask for \($0)" },
      first(found.subtracting(expected)).map { "\(Effect.self) asks for \($0), which is not expected" },
    ].compactMap(\.self)
    guard differences.isEmpty else {
      throw KeptFileFailure("\(differences.joined(separator: "; ")): \(Spelling.visible(path))")
    }
  }
}

extension DamagedFile.Reason {
  var words: String {
    switch self {
    case .notThisFormat: "damaged, does not begin like a file of this kind"
    case .wrongLength(let expected, let found): "damaged, \(found) bytes where it says \(expected)"
    case .wrongChecksum: "damaged, differs from its checksum"
    case .notDecodable(let reason): "intact, and cannot be decoded (\(Spelling.visible(reason)))"
    }
  }
}

extension FileStorage {
  /// Verifies in a test that a file of an earlier version of the program still loads, and that an effect asks for the
  /// same requests in the state made of it.
  ///
  /// ```swift
  /// try await storage.verify(LookupEffect(), asksFor: [Lookup(title: "milk")]) { Shopping(restoring: $0) }
  /// ```
  ///
  /// Reads the file alone, without its lock and without the previous file, and leaves it unchanged.
  ///
  /// - Parameters:
  ///   - effect: the effect. It is not run.
  ///   - expected: all requests that it asked for in the earlier version.
  ///   - state: makes the state of the effect, as the program does after loading.
  /// - Throws: the first difference, or why the file cannot be used.
  public func verify<Effect: EffectComponent>(
    _ effect: Effect, asksFor expected: Set<Effect.Request>,
    in state: @Sendable (StoredValue<Value>) -> Effect.State
  ) async throws(KeptFileFailure) {
    try await KeptFileFailure.verify(path, effect, expected, state) { () throws(StorageFailure) in
      try await files.perform { files throws(StorageFailure) in try files.examined() }
    }
  }
}

extension JournalStorage {
  /// Verifies in a test that a journal of an earlier version of the program still loads, and that an effect asks for
  /// the same requests in the state made of it. Works as `FileStorage.verify(_:asksFor:in:)` does.
  ///
  /// - Parameters:
  ///   - effect: the effect. It is not run.
  ///   - expected: all requests that it asked for in the earlier version.
  ///   - state: makes the state of the effect, as the program does after loading.
  /// - Throws: the first difference, or why the file cannot be used.
  public func verify<Effect: EffectComponent>(
    _ effect: Effect, asksFor expected: Set<Effect.Request>,
    in state: @Sendable (StoredEntries<Key, Value>) -> Effect.State
  ) async throws(KeptFileFailure) {
    try await KeptFileFailure.verify(path, effect, expected, state) { () throws(StorageFailure) in
      try await files.perform { files throws(StorageFailure) in try files.examined() }
    }
  }
}
