import Foundation
import Millrace
import MillraceEffects
import MillraceTesting
import MillraceTrace

/// Reads files of a folder again once they have changed and are stable.
nonisolated enum FolderWatch {
  /// The date of each file's last change, by name.
  typealias Listing = [String: Date]

  struct File: Codable, Hashable, Sendable {
    var name: String
    var changed: Date
  }

  struct State: Equatable, Sendable {
    var folder: String?
    var listing: Listing = [:]
    /// The contents read, by name, with the dates of their changes.
    var read: [String: Date] = [:]

    /// A file that changes while it is being read is read again, since the date belongs to the request.
    var stale: Set<File> {
      Set(listing.filter { read[$0.key] != $0.value }.map { File(name: $0.key, changed: $0.value) })
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case watched(String?)
    case listed(Listing)
    case read(File)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .watched(let folder): state = State(folder: folder)
    case .listed(let listing):
      state.listing = listing
      state.read = state.read.filter { listing[$0.key] != nil }
    case .read(let file): state.read[file.name] = file.changed
    }
  }

  static func connect<C: Clock>(
    to store: Store<State, Action>, clock: C, list: @escaping @Sendable (String) async throws -> Listing,
    read: @escaping @Sendable (File) async -> Void
  ) where C.Duration == Duration {
    let listing = Effect { (folder: String, send: Send<Action>) in
      // A folder that cannot be listed is not empty. It is listed again later.
      if let listing = try? await list(folder) { await send(.listed(listing)) }
    }
    store.connect(
      listing.polled(every: .seconds(1), clock: clock), when: \.folder, named: "list", longRunning: true)
    let reading = Effect { (file: File, send: Send<Action>) in
      await read(file)
      await send(.read(file))
    }
    store.connect(reading.debounced(for: .seconds(2), clock: clock), when: \.stale, named: "read")
  }

  /// The files of a real folder.
  static func files(of folder: String) throws -> Listing {
    var listing: Listing = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      do {
        let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
        listing[name] = facts[.modificationDate] as? Date
      } catch CocoaError.fileReadNoSuchFile { continue }  // removed meanwhile
    }
    return listing
  }
}

nonisolated extension Case {
  static let folderWatch = Case(
    name: "watch", symptom: "a file is read while it is written, or its last change is never seen"
  ) { say in
    let folder = FileManager.default.temporaryDirectory.path + "/millrace-watch-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (clock, reads) = (TestClock(), Recorder<String>())
    let store = Store(initialState: FolderWatch.State(), on: .immediate, reduce: FolderWatch.reduce)
    try store.recordIfAsked()
    FolderWatch.connect(to: store, clock: clock, list: { try FolderWatch.files(of: $0) }) {
      reads.append($0.name)
    }
    func write(_ name: String, at second: Double) throws {
      try Data("\(second)".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      let facts: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSince1970: second)]
      try FileManager.default.setAttributes(facts, ofItemAtPath: "\(folder)/\(name)")
    }
    func pass(_ seconds: Int = 1, sleeping count: Int) async throws {
      try await clock.sleepers(atLeast: count)
      clock.advance(by: .seconds(seconds))
    }
    try write("notes.txt", at: 1)
    store.dispatch(.watched(folder))
    _ = await store.first { !$0.stale.isEmpty }
    try write("notes.txt", at: 2)
    try await pass(sleeping: 2)
    _ = await store.first { $0.listing["notes.txt"] == Date(timeIntervalSince1970: 2) }
    say("written, and written again: \(store.state.stale.count) stale, read: \(reads.values)")
    for _ in 1...2 { try await pass(sleeping: 2) }
    _ = await store.first { $0.stale.isEmpty }
    say("it stands still: read: \(reads.values)")
    try FileManager.default.removeItem(atPath: "\(folder)/notes.txt")
    try await pass(sleeping: 1)
    _ = await store.first { $0.listing.isEmpty }
    say("removed: \(store.state.read.count) known")
    store.dispatch(.watched(nil))
    await store.shutdown()
  }
}
