import Foundation
import Millrace
import MillraceTrace

/// A small recorded feature: the cost of recording on the reducer queue, and the cost of a replay.
enum Recordings {
  private struct Tally: Codable, Equatable, Sendable {
    var count = 0
    var last = 0

    enum Action: Codable, Sendable { case add(Int) }

    @inline(never)
    static func reduce(_ state: inout Tally, _ action: Action) {
      switch action {
      case .add(let number):
        state.count += 1
        state.last = number
      }
    }
  }

  /// Asks for a request at two of each 64 counts.
  private struct TallyEffect: EffectComponent {
    func requests(in state: Tally) -> Set<Int> { state.count % 64 < 2 ? [state.count / 64] : [] }
    func run(_ request: Int, send: Send<Tally.Action>) async {}
  }

  private enum Kind { case nothing, file, ring }

  private static let bareFold = "replay/bare-fold-with-requests"

  static let cases = [
    BenchmarkCase(name: "recording/nothing", unit: "ns/action") { try await onQueue(.nothing, $0).queue },
    BenchmarkCase(name: "recording/file", unit: "ns/action") { try await onQueue(.file, $0).queue },
    BenchmarkCase(name: "recording/ring", unit: "ns/action") { try await onQueue(.ring, $0).queue },
    BenchmarkCase(name: "recording/file-own-queue", unit: "ns/action") { try await onQueue(.file, $0).own },
    BenchmarkCase(name: "recording/file-size", unit: "bytes/action") { try await onQueue(.file, $0).bytes },
    BenchmarkCase(name: "recording/flood-growth", unit: "MB") { try await flood($0.count(10_000_000)) },
    BenchmarkCase(name: "recording/burst-lost", unit: "events") { try await burst($0).lost },
    BenchmarkCase(name: "recording/burst-growth", unit: "MB") { try await burst($0).growth },
    BenchmarkCase(name: "recording/burst-snapshots", unit: "actions apart at most") {
      try await burst($0).apart
    },
    BenchmarkCase(name: "recording/burst-file", unit: "ns/action") { try await burst($0).cost },
    BenchmarkCase(name: "recording/large-state", unit: "ns/action") { try await large($0).queue },
    BenchmarkCase(name: "recording/large-state-own-queue", unit: "ns/action") { try await large($0).own },
    BenchmarkCase(name: "recording/large-state-size", unit: "bytes/action") { try await large($0).bytes },
    BenchmarkCase(name: bareFold, unit: "ns/action") { try fold($0.count(1_000_000)) },
    BenchmarkCase(name: "replay/memory", unit: "ns/action", baseline: [bareFold], target: 2) {
      try await replay($0.count(1_000_000)).replay
    },
    BenchmarkCase(name: "replay/with-decoding", unit: "ns/action", target: nil) {
      let costs = try await replay($0.count(1_000_000))
      return costs.replay + costs.decoding
    },
    // At most 6,667 ns, which is 150,000 actions a second.
    BenchmarkCase(name: "replay/file", unit: "ns/action") { try await replayFile($0.count(200_000)) },
  ]

  private static func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "millrace-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.path)
  }

  /// Runs on the caller's stack, in portions that the recorder writes before the next one, so that no event is dropped.
  private static func onQueue(
    _ kind: Kind, _ effort: Effort
  ) async throws -> (queue: Double, own: Double, bytes: Double) {
    try await withFolder { folder in
      let store = Store(initialState: Tally(), on: .immediate, reduce: Tally.reduce)
      let path = folder + "/trace"
      let recording: TraceRecording? =
        switch kind {
        case .nothing: nil
        case .file: try store.record(to: .file(path), verifies: true)
        case .ring: try store.record(to: .ring(path), verifies: true)
        }
      let portions = effort.count(300)
      let portion = 1000
      var (queue, own) = (0.0, 0.0)
      for _ in 0..<portions {
        let watch = Stopwatch()
        for number in 0..<portion { store.dispatch(.add(number)) }
        queue += watch.nanoseconds(per: portion)
        let rest = Stopwatch()
        try await recording?.flush()
        own += rest.nanoseconds(per: portion)
      }
      let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.doubleValue
      try expect("actions reduced", store.state.count, is: portions * portion)
      return (
        queue / Double(portions), own / Double(portions), (size ?? 0) / Double(portions * portion)
      )
    }
  }

  /// A state of a megabyte as JSON. Each action changes a thousandth of it.
  private struct Pages: Codable, Equatable, Sendable {
    var pages = [String](repeating: String(repeating: "a", count: 1000), count: 1000)
    var turned = 0

    enum Action: Codable, Sendable { case turn(Int) }

    static func reduce(_ state: inout Pages, _ action: Action) {
      switch action {
      case .turn(let number):
        state.turned += 1
        state.pages[number % 1000] = String(repeating: "b", count: 1000 - number % 7)
      }
    }
  }

  private static func large(
    _ effort: Effort
  ) async throws -> (queue: Double, own: Double, bytes: Double) {
    try await withFolder { folder in
      let store = Store(initialState: Pages(), on: .immediate, reduce: Pages.reduce)
      let path = folder + "/trace"
      let recording = try store.record(to: .file(path))
      let portions = effort.count(30)
      let portion = 1000
      var (queue, own) = (0.0, 0.0)
      for _ in 0..<portions {
        let watch = Stopwatch()
        for number in 0..<portion { store.dispatch(.turn(number)) }
        queue += watch.nanoseconds(per: portion)
        let rest = Stopwatch()
        try await recording.flush()
        own += rest.nanoseconds(per: portion)
      }
      let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.doubleValue
      try expect("actions reduced", store.state.turned, is: portions * portion)
      return (
        queue / Double(portions), own / Double(portions), (size ?? 0) / Double(portions * portion)
      )
    }
  }

  /// The growth of the process while more is dispatched than can be written.
  private static func flood(_ count: Int) async throws -> Double {
    try await withFolder { folder in
      let store = Store(initialState: Tally(), reduce: Tally.reduce)
      let recording = try store.record(to: .ring(folder + "/trace", bytes: 1 << 20))
      let before = MemoryMeter.resident ?? 0
      var highest = before
      for number in 0..<count {
        store.dispatch(.add(number))
        if number % 1000 == 0 {
          await store.send(.add(number))
          highest = max(highest, MemoryMeter.resident ?? 0)
        }
      }
      await store.settled()
      try await recording.finish()
      return Double(highest - before) / 1e6
    }
  }

  /// Asks for another request after each action.
  private struct EachEffect: EffectComponent {
    func requests(in state: Tally) -> Set<Int> { [state.last] }
    func run(_ request: Int, send: Send<Tally.Action>) async {}
  }

  /// 100,000 actions at full speed, each of which ends a run and starts another: about 300,000 events.
  private static func burst(
    _ effort: Effort
  ) async throws -> (lost: Double, growth: Double, apart: Double, cost: Double) {
    try await withFolder { folder in
      let store = Store(initialState: Tally(), reduce: Tally.reduce)
      let path = folder + "/trace"
      let recording = try store.record(to: .file(path))
      store.connect(EachEffect(), named: "each")
      try await recording.flush()
      let count = effort.count(100_000)
      let before = MemoryMeter.resident ?? 0
      var highest = before
      let watch = Stopwatch()
      for number in 1...count {
        store.dispatch(.add(number))
        if number % 1000 == 0 { highest = max(highest, MemoryMeter.resident ?? 0) }
      }
      await store.settled()
      let cost = watch.nanoseconds(per: count)
      highest = max(highest, MemoryMeter.resident ?? 0)
      try await recording.finish()
      let lines = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        .split(separator: "\n")
      var (lost, apart, last) = (0, 0, 0)
      func number(_ line: Substring, _ key: String) -> Int {
        Int(line.dropFirst(key.utf8.count).prefix(while: \.isNumber)) ?? 0
      }
      for line in lines {
        if line.hasPrefix("{\"g\":") { lost += number(line, "{\"g\":") }
        if line.hasPrefix("{\"s\":") {
          apart = max(apart, number(line, "{\"s\":") - last)
          last = number(line, "{\"s\":")
        }
      }
      return (Double(lost), Double(highest - before) / 1e6, Double(apart), cost)
    }
  }

  private static func fold(_ count: Int) throws -> Double {
    var state = Tally()
    let effect = TallyEffect()
    var asked: Set<Int> = []
    var changes = 0
    let watch = Stopwatch()
    for number in 0..<count {
      Tally.reduce(&state, .add(number))
      let requests = effect.requests(in: state)
      if requests != asked {
        asked = requests
        changes += 1
      }
    }
    let cost = watch.nanoseconds(per: count)
    try expect(changes > 0 || count < 100, "nothing was asked for")
    return cost
  }

  /// Replays a file. Includes reading and decoding it.
  private static func replayFile(_ count: Int) async throws -> Double {
    try await withFolder { folder in
      let path = folder + "/trace"
      try await record(count).writeOut(to: path)
      let watch = Stopwatch()
      let verdict = try Replay(of: path, reduce: Tally.reduce) { store in
        store.connect(TallyEffect(), named: "tally")
      }.verdict()
      let cost = watch.nanoseconds(per: count)
      try expect(verdict.isSame, "\(verdict)")
      return cost
    }
  }

  /// Records a number of actions into memory.
  private static func record(_ count: Int, to memory: TraceMemory = TraceMemory()) async throws
    -> TraceRecording
  {
    let store = Store(initialState: Tally(), reduce: Tally.reduce)
    let recording = try store.record(to: .memory(memory), memory: 1 << 30)
    store.connect(TallyEffect(), named: "tally")
    for number in 0..<count { store.dispatch(.add(number)) }
    await store.settled()
    try await recording.finish()
    return recording
  }

  private static func replay(_ count: Int) async throws -> (replay: Double, decoding: Double) {
    let memory = TraceMemory()
    _ = try await record(count, to: memory)
    let reading = Stopwatch()
    let replay = try Replay(of: memory, reduce: Tally.reduce) { $0.connect(TallyEffect(), named: "tally") }
    let decoding = reading.nanoseconds(per: count)
    let watch = Stopwatch()
    let verdict = replay.verdict()
    let cost = watch.nanoseconds(per: count)
    try expect(verdict.isSame, "\(verdict)")
    return (cost, decoding)
  }
}
