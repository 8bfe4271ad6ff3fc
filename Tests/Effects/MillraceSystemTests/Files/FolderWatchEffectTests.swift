import Foundation
import Millrace
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

@Suite("Folders that are watched", .timeLimit(.minutes(10)))
struct FolderWatchEffectTests {
  private struct State: Equatable, Sendable {
    var folders: Set<FolderWatchRequest> = []
    var files: [String: FileFacts]?
    var failures: [FolderWatchFailure] = []
  }

  private enum Action: Sendable {
    case watch(FolderWatchRequest?)
    case folder(FolderWatchEvent)
  }

  private let folder: TemporaryFolder
  private let request: FolderWatchRequest

  init() throws {
    folder = try TemporaryFolder()
    request = FolderWatchRequest(folder.path, quiet: .zero)
  }

  private func store(_ clock: any Clock<Duration> = ContinuousClock()) -> Store<State, Action> {
    let store = Store<State, Action>(initialState: State()) { state, action in
      switch action {
      case .watch(let request): state = State(folders: request.map { [$0] } ?? [])
      case .folder(.listed(let files, in: _)): state.files = files
      case .folder(.failed(let failure, _)):
        state.files = nil
        state.failures.append(failure)
      }
    }
    store.connect(FolderWatchEffect(clock: clock), to: \.folders, action: Action.folder, longRunning: true)
    return store
  }

  /// The first state of which this is true. Fails if there is none in time.
  private func state(
    of store: Store<State, Action>, sourceLocation: SourceLocation = #_sourceLocation,
    where isTrue: @escaping @Sendable (State) -> Bool
  ) async throws -> State? {
    try await inTime(sourceLocation: sourceLocation) { await store.first(where: isTrue) }
  }

  private func names(_ files: [String: FileFacts]?) -> [String]? { files?.keys.sorted() }

  @Test("files that come, change, are renamed and go are told")
  func changes() async throws {
    try folder.write(Data("1".utf8), to: "a")
    let store = store()
    store.dispatch(.watch(request))
    let first = try await state(of: store) { $0.files?.isEmpty == false }
    #expect(names(first?.files) == ["a"])
    try folder.write(Data("22".utf8), to: "a")
    let second = try await state(of: store) { $0.files?["a"]?.size == 2 }
    #expect(second?.files?["a"]?.kind == .file)
    try FileManager.default.moveItem(atPath: folder.file("a"), toPath: folder.file("b"))
    let third = try await state(of: store) { $0.files?["b"] != nil }
    #expect(names(third?.files) == ["b"])
    try FileManager.default.createDirectory(atPath: folder.file("c"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: folder.file("d"), withDestinationPath: "nowhere")
    let fourth = try await state(of: store) { $0.files?.count == 3 }
    let within = try #require(fourth?.files?["c"])
    #expect(within == FileFacts(kind: .folder, number: within.number))
    #expect(fourth?.files?["d"]?.kind == .link)
    for name in ["b", "c", "d"] { try FileManager.default.removeItem(atPath: folder.file(name)) }
    #expect(try await state(of: store) { $0.files == [:] } != nil)
    #expect(store.state.failures.isEmpty)
  }

  @Test("what the run waits for is told, with an interval and without one", arguments: [nil, 60])
  func waits(interval: Int?) async throws {
    let store = store()
    var request = request
    request.interval = interval.map { .seconds($0) }
    store.dispatch(.watch(request))
    let next = interval == nil ? "" : " (the next look)"
    try await eventually {
      store.activity.entries.flatMap(\.work).flatMap(\.waitsFor) == ["a change of the folder\(next)"]
    }
    store.dispatch(.watch(nil))
    await store.settled()
  }

  @Test(
    "what is told comes to what is there, however much happens at once",
    arguments: 1...UInt64(TestSize.count(1, full: 4)))
  func random(seed: UInt64) async throws {
    let store = store()
    store.dispatch(.watch(request))
    _ = try await state(of: store) { $0.files != nil }
    let folder = folder
    try await onOwnThread {
      var random = SeededRandom(seed: seed)
      // More than the system's queue of reports holds.
      for step in 0..<10_000 {
        let (name, other) = (
          "\(Int.random(in: 0..<20, using: &random))", "\(Int.random(in: 0..<20, using: &random))"
        )
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try? FileManager.default.removeItem(atPath: folder.file(name))
        case 1: rename(folder.file(name), folder.file(other))
        default:
          guard let file = fopen(folder.file(name), step % 2 == 0 ? "w" : "a") else { throw Unexpected() }
          fputs("\(step)", file)
          fclose(file)
        }
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let sizes = try names.map {
      try FileManager.default.attributesOfItem(atPath: folder.file($0))[.size] as? Int
    }
    let there = Dictionary(uniqueKeysWithValues: zip(names, sizes))
    #expect(try await state(of: store) { $0.files?.mapValues { Optional($0.size) } == there } != nil)
  }

  private struct Unexpected: Error {}

  @Test("a folder that is not there is looked for every second, by the effect's clock")
  func missing() async throws {
    let clock = TestClock()
    let store = store(clock)
    var request = request
    request.path += "/inbox"
    store.dispatch(.watch(request))
    #expect(try await state(of: store) { $0.failures == [.noSuchFolder] } != nil)
    #expect(try await clock.sleepers(atLeast: 1).map(\.deadline) == [clock.now.advanced(by: .seconds(1))])
    clock.advance(by: .seconds(1))
    _ = try await clock.sleepers(atLeast: 1)
    #expect(store.state.failures.count == 1)
    try folder.write(Data(), to: "inbox")
    clock.advance(by: .seconds(1))
    #expect(try await state(of: store) { $0.failures == [.noSuchFolder, .notAFolder] } != nil)
    try FileManager.default.removeItem(atPath: folder.file("inbox"))
    try FileManager.default.createDirectory(atPath: folder.file("inbox"), withIntermediateDirectories: false)
    _ = try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    #expect(try await state(of: store) { $0.files == [:] } != nil)
  }

  @Test("a folder is looked at as often as the request demands")
  func interval() async throws {
    let clock = TestClock()
    let store = store(clock)
    var request = request
    request.interval = .seconds(5)
    store.dispatch(.watch(request))
    #expect(try await state(of: store) { $0.files == [:] } != nil)
    for _ in 1...2 {
      #expect(
        try await clock.sleepers(atLeast: 1).map(\.deadline).min() == clock.now.advanced(by: .seconds(5)))
      clock.advance(by: .seconds(5))
    }
    store.dispatch(.watch(nil))
    #expect(await store.shutdown().isClean)
  }

  @Test("of a folder that is narrowed to names, only their changes are told")
  func names() async throws {
    let path = folder.file("inbox")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    for name in ["settings", "other"] { try folder.write(Data(), to: "inbox/\(name)") }
    let store = store()
    try folder.write(Data(), to: "inbox/settings")
    store.dispatch(.watch(FolderWatchRequest(path, quiet: .zero, names: ["settings"])))
    #expect(try await state(of: store) { $0.files?.keys.sorted() == ["settings"] } != nil)
    #expect(await store.shutdown().isClean)
  }

  @Test("a folder that is replaced is watched in its new place")
  func replaced() async throws {
    let path = folder.file("inbox")
    let store = store()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    store.dispatch(.watch(FolderWatchRequest(path, quiet: .zero)))
    #expect(try await state(of: store) { $0.files == [:] } != nil)
    for round in 1...3 {
      try FileManager.default.moveItem(atPath: path, toPath: "\(path)-\(round)")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try folder.write(Data(), to: "inbox/\(round)")
      #expect(try await state(of: store) { $0.files?["\(round)"] != nil } != nil)
    }
  }

  @Test("a run that is stopped closes what it has opened, at any moment")
  func stopped() async throws {
    let store = store()
    for _ in 1...200 {
      store.dispatch(.watch(request))
      store.dispatch(.watch(nil))
    }
    store.dispatch(.watch(request))
    _ = try await state(of: store) { $0.files != nil }
    store.dispatch(.watch(nil))
    #expect(await store.shutdown().isClean)
    #if os(Linux)
    try await eventually { try Self.watches(of: folder.path) == 0 }
    #endif
  }

  #if os(Linux)
  /// How many watches of this folder the process has.
  private static func watches(of path: String) throws -> Int {
    var status = stat()
    stat(path, &status)
    let mark = "ino:" + String(status.st_ino, radix: 16) + " "
    let facts = "/proc/self/fdinfo"
    return try FileManager.default.contentsOfDirectory(atPath: facts).count { name in
      (try? String(contentsOfFile: "\(facts)/\(name)", encoding: .utf8))?.contains(mark) == true
    }
  }
  #endif
}
