import Millrace
import MillraceTrace

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
