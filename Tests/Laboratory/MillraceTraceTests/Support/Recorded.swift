import Millrace

@testable import MillraceTrace

/// The recording of a store of the shop.
///
/// - Parameter use: uses the store while it is recorded. What it has led to is awaited.
func record(
  every: Int = 64, redacting rules: [Redaction] = [], prices: Shop.PriceEffect = Shop.PriceEffect(),
  _ use: (Store<Shop.State, Shop.Action>) async -> Void
) async throws -> [UInt8] {
  let memory = TraceMemory()
  let store = Store(initialState: Shop.State(), reduce: Shop.reduce)
  let recording = try store.record(to: .memory(memory), redacting: rules, snapshotEvery: every)
  // The size of the first snapshot, known once it is written, says how soon the next ones are due.
  try await recording.flush()
  Shop.connect(store, prices: prices)
  await use(store)
  await store.settled()
  try await recording.finish()
  return memory.bytes
}

extension TraceText {
  init(text: String) throws(Damage) { try self.init(Array(text.utf8)) }

  var actions: [ActionLine] { lines.compactMap { if case .action(let line) = $0.line { line } else { nil } } }
  var runs: [RunLine] { lines.compactMap { if case .run(let line) = $0.line { line } else { nil } } }
  var snapshots: [SnapshotLine] {
    lines.compactMap { if case .snapshot(let line) = $0.line { line } else { nil } }
  }
  var notes: [NoteLine] { lines.compactMap { if case .note(let line) = $0.line { line } else { nil } } }
  var gaps: [GapLine] { lines.compactMap { if case .gap(let line) = $0.line { line } else { nil } } }
}

extension ReplayVerdict {
  /// What was compared, of a replay that was the same.
  var summary: ReplaySummary? { if case .same(let summary) = self { summary } else { nil } }

  var stateDifference: ReplayDifference? {
    if case .statesDiffer(let difference) = self { difference } else { nil }
  }

  var requestDifference: ReplayDifference? {
    if case .requestsDiffer(let difference) = self { difference } else { nil }
  }
}

extension TraceMemory {
  /// A recording of these bytes.
  convenience init(_ bytes: [UInt8]) {
    self.init()
    append(bytes)
  }

  /// A recording of these lines, written as they are.
  convenience init(texts: [String]) { self.init(Array(texts.map { $0 + "\n" }.joined().utf8)) }

  /// A recording of these lines, written anew and without numbers.
  convenience init(_ header: TraceHeader, _ lines: some Sequence<TraceLine>) {
    self.init(LineWriter.bytes(of: .header(header)) + lines.flatMap { LineWriter.bytes(of: $0) })
  }
}

extension TraceLine {
  static func lost(_ count: Int) -> TraceLine { .gap(GapLine(time: 9, lost: count, details: 0)) }

  static func whole(_ state: Payload, after sequence: UInt64, _ table: LiveTable) -> TraceLine {
    .snapshot(SnapshotLine(sequence: sequence, time: 9, state: state, whole: table))
  }
}

/// A value as recordings have it.
func encoded(_ value: some Encodable) throws -> JSON { try ValueEncoder.encode(value) }

func decoded<Value: Decodable>(_ type: Value.Type, from json: JSON) throws -> Value {
  try ValueDecoder.decode(type, from: json)
}

/// The lines of a flight recorder's file, in their order.
func unrolled(ring path: String) throws -> [UInt8] { RingImage.unrolled(try TraceText.bytes(of: path)) ?? [] }
