import Millrace
import Observation

/// A change of one value that spreads through computed values to those that are watched, in the eight shapes of
/// `js-reactivity-benchmark`: by effects of a store, by components, by signals and by `Observation`.
enum Propagation {
  static let cases = Shape.all.flatMap { shape in
    [
      BenchmarkCase(name: "propagation/\(shape.name)/effects", unit: "ns/change") { effort in
        try await changes(effort, of: shape) { store, node in
          let counter = CountingEffect()
          store.scope(computed: { shape.value(of: node, in: $0.values) }).connect(counter, to: \.self)
          return counter
        }
      },
      BenchmarkCase(name: "propagation/\(shape.name)/components", unit: "ns/change") { effort in
        try await changes(effort, of: shape) { store, node in
          let watcher = Watcher()
          store.connect(watcher, props: { shape.value(of: node, in: $0.values) })
          return watcher
        }
      },
      BenchmarkCase(name: "propagation/\(shape.name)/signals", unit: "ns/change") { effort in
        try measured(effort, shape, in: SignalGraph(shape))
      },
      BenchmarkCase(name: "propagation/\(shape.name)/observation", unit: "ns/change") { effort in
        try measured(effort, shape, in: ObservedGraph(shape))
      },
    ]
  }

  struct Sources: Equatable, Sendable {
    var values: [Int]
  }

  /// A watcher of one node.
  protocol Told: AnyObject {
    var last: Int { get }
  }

  private static func changes(
    _ effort: Effort, of shape: Shape,
    connect: (Store<Sources, Shape.Change>, _ node: Int) -> any Told
  ) async throws -> Double {
    let store = Store(initialState: Sources(values: shape.initial), on: .immediate) {
      (state: inout Sources, change: Shape.Change) in state.values[change.source] = change.value
    }
    let told = shape.watched.map { connect(store, $0) }
    await store.settled()
    let count = effort.count(1_000)
    let watch = Stopwatch()
    for step in 1...count { store.dispatch(shape.change(step)) }
    await store.settled()
    let cost = watch.nanoseconds(per: count)
    try expect(shape.name, told.map(\.last), is: shape.expected(after: count))
    return cost
  }

  private static func measured(_ effort: Effort, _ shape: Shape, in graph: some Graph) throws -> Double {
    let count = effort.count(1_000)
    let watch = Stopwatch()
    for step in 1...count { graph.set(shape.change(step)) }
    let cost = watch.nanoseconds(per: count)
    try expect(shape.name, graph.told, is: shape.expected(after: count))
    return cost
  }

  /// Asks for nothing, whatever its slice is.
  private final class CountingEffect: EffectComponent, Told, @unchecked Sendable {  // called by one thread
    typealias Action = Shape.Change
    private(set) var last = Int.min
    func requests(in value: Int) -> Set<Int> {
      last = value
      return []
    }
    func run(_ request: Int, send: Send<Shape.Change>) async {}
  }
}

extension Watcher: Propagation.Told {}

/// A graph of sources and computed values, some of which are watched.
struct Shape: Sendable {
  typealias Node = @Sendable (_ read: (Int) -> Int) -> Int

  struct Change: Sendable { let source, value: Int }

  let name: String
  var sources = 1
  /// The first is read by the number of sources, the next by the number after it, and so on.
  let nodes: [Node]
  let watched: [Int]

  static let all: [Shape] = [
    Shape(
      name: "avoidable",
      nodes: nodes(0..<1) { _, read in read(0) } + nodes(0..<1) { _, read in read(1) * 0 }
        + nodes(2..<5) { index, read in (0..<100).reduce(read(index)) { $0 + $1 % 2 } },
      watched: [5]),
    Shape(
      name: "broad",
      nodes: nodes(0..<100) { index, read in index.isMultiple(of: 2) ? read(0) + index : read(index) + 1 },
      watched: (1...50).map { 2 * $0 }),
    Shape(name: "deep", nodes: nodes(0..<50) { index, read in read(index) + 1 }, watched: [50]),
    Shape(
      name: "diamond",
      nodes: nodes(0..<5) { _, read in read(0) + 1 }
        + nodes(0..<1) { _, read in (1...5).reduce(0) { $0 + read($1) } },
      watched: [6]),
    Shape(
      name: "mux", sources: 100,
      nodes: nodes(0..<1) { _, read in (0..<100).reduce(0) { $0 ^ read($1) } }
        + nodes(0..<100) { index, read in read(100) * 0 + read(index) },
      watched: Array(101...200)),
    Shape(
      name: "repeated",
      nodes: nodes(0..<1) { _, read in (0..<30).reduce(0) { sum, _ in sum + read(0) } }, watched: [1]),
    Shape(
      name: "triangle",
      nodes: nodes(0..<10) { index, read in read(index) + 1 }
        + nodes(0..<1) { _, read in (1...10).reduce(0) { $0 + read($1) } },
      watched: [11]),
    Shape(
      name: "unstable",
      nodes: nodes(0..<2) { index, read in index == 0 ? read(0) * 2 : -read(0) }
        + nodes(0..<1) { _, read in (0..<20).reduce(0) { sum, _ in sum + read(read(0) % 2 == 1 ? 1 : 2) } },
      watched: [3]),
  ]

  private static func nodes(
    _ indices: Range<Int>, _ node: @escaping @Sendable (_ index: Int, _ read: (Int) -> Int) -> Int
  ) -> [Node] {
    indices.map { index in { @Sendable read in node(index, read) } }
  }

  var initial: [Int] { Array(repeating: 0, count: sources) }

  func change(_ step: Int) -> Change { Change(source: step % sources, value: step) }

  /// The value of a source or a node.
  func value(of node: Int, in values: [Int]) -> Int {
    node < sources ? values[node] : nodes[node - sources]({ value(of: $0, in: values) })
  }

  func expected(after steps: Int) -> [Int] {
    var values = initial
    for step in 1...steps { values[change(step).source] = change(step).value }
    return watched.map { value(of: $0, in: values) }
  }
}

/// The nodes of a shape by another library.
private protocol Graph {
  func set(_ change: Shape.Change)
  /// The last values that those who watch were told.
  var told: [Int] { get }
}

/// Signals as one writes them by hand: a change marks what may depend on it, and what is watched is computed anew if
/// something that it read has changed.
private final class SignalGraph: Graph {
  private enum Freshness { case fresh, maybeStale, stale }

  private final class Cell {
    var value = 0
    var compute: (() -> Int)?
    var freshness = Freshness.stale
    /// What it has read, in order, each once.
    var reads: [Cell] = []
    var readers: [Cell] = []
    var isWatched = false
    /// The computation by which it was read last.
    var readBy = 0
  }

  private var cells: [Cell] = []
  /// What is computed, and how much of `reads` it has read again.
  private var reader: Cell?
  private var position = 0
  private var computation = 0
  private var computations = 0
  private var watched: [Cell] = []
  private var due: [Cell] = []
  private(set) var told: [Int] = []

  init(_ shape: Shape) {
    cells = shape.initial.map { value in
      let cell = Cell()
      (cell.value, cell.freshness) = (value, .fresh)
      return cell
    }
    for node in shape.nodes {
      let cell = Cell()
      cell.compute = { [unowned self] in node { self.read(self.cells[$0]) } }  // the graph has its cells
      cells.append(cell)
    }
    watched = shape.watched.map { cells[$0] }
    for cell in watched {
      cell.isWatched = true
      refresh(cell)
    }
    told = watched.map(\.value)
  }

  func set(_ change: Shape.Change) {
    let source = cells[change.source]
    guard source.value != change.value else { return }
    source.value = change.value
    for cell in source.readers { mark(cell, .stale) }
    let due = due
    self.due = []
    for cell in due { refresh(cell) }
    for (index, cell) in watched.enumerated() where told[index] != cell.value { told[index] = cell.value }
  }

  private func mark(_ cell: Cell, _ freshness: Freshness) {
    let wasFresh = cell.freshness == .fresh
    if cell.freshness != .stale { cell.freshness = freshness }
    guard wasFresh else { return }
    if cell.isWatched { due.append(cell) }
    for reader in cell.readers { mark(reader, .maybeStale) }
  }

  private func read(_ cell: Cell) -> Int {
    if let reader, cell.readBy != computation {
      cell.readBy = computation
      if position == reader.reads.count || reader.reads[position] !== cell {
        forgetReads(of: reader, from: position)
        reader.reads.append(cell)
        cell.readers.append(reader)
      }
      position += 1
    }
    refresh(cell)
    return cell.value
  }

  private func forgetReads(of cell: Cell, from position: Int) {
    for read in cell.reads[position...] { read.readers.removeAll { $0 === cell } }
    cell.reads.removeSubrange(position...)
  }

  private func refresh(_ cell: Cell) {
    if cell.freshness == .maybeStale {
      for read in cell.reads {
        refresh(read)
        if cell.freshness == .stale { break }
      }
    }
    defer { cell.freshness = .fresh }
    guard cell.freshness == .stale, let compute = cell.compute else { return }
    let outer = (reader, position, computation)
    computations += 1
    (reader, position, computation) = (cell, 0, computations)
    let value = compute()
    forgetReads(of: cell, from: position)
    (reader, position, computation) = outer
    guard value != cell.value else { return }
    cell.value = value
    for reader in cell.readers { reader.freshness = .stale }
  }
}

/// Computed properties over observed sources: each read of one computes it.
private final class ObservedGraph: Graph {
  @Observable final class Source {
    var value = 0
  }

  private let shape: Shape
  private let sources: [Source]
  private let changed = Changed()
  private(set) var told: [Int]

  /// Which of the watched nodes are to be read again.
  private final class Changed: @unchecked Sendable {  // called by the one thread that sets
    var nodes: [Int] = []
  }

  init(_ shape: Shape) {
    self.shape = shape
    sources = shape.initial.map { _ in Source() }
    told = shape.watched.map { _ in 0 }
    for index in told.indices { watch(index) }
  }

  func set(_ change: Shape.Change) {
    sources[change.source].value = change.value
    let nodes = changed.nodes
    changed.nodes = []
    for index in nodes { watch(index) }
  }

  private func watch(_ index: Int) {
    told[index] = withObservationTracking {
      value(of: shape.watched[index])
    } onChange: { [changed] in
      changed.nodes.append(index)
    }
  }

  private func value(of node: Int) -> Int {
    node < shape.sources ? sources[node].value : shape.nodes[node - shape.sources]({ value(of: $0) })
  }
}
