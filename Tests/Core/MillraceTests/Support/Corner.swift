import Millrace
import MillraceTesting

/// A state with a part that comes and goes, elements, and a number that several watch.
struct Corner: Equatable, Sendable {
  var x = 0
  var isOpen = false
  var isPositive: Bool { x > 0 }
  var part: Piece?
  var rows = KeyedArray<Piece>()
  /// Rows again, in a slice that is watched as a whole, too.
  var table = RowTable()
  var log: [String] = []

  /// Rows with the given identities, all of which want the same.
  static func rows(_ ids: Range<Int>, wanting wanted: Set<String> = ["work"]) -> KeyedArray<Piece> {
    KeyedArray(uniqueElements: ids.map { Piece(id: $0, wanted: wanted) })
  }
}

struct RowTable: Equatable, Sendable {
  var rows = KeyedArray<Piece>()
}

/// An element, or a part: what it wants is what its effect is asked for.
struct Piece: Identifiable, Equatable, Sendable {
  let id: Int
  var wanted: Set<String> = []
  var value = 0
}

/// An action that says itself what it changes, so that a test reads without a reducer.
struct Change: Sendable {
  let apply: @Sendable (inout Corner) -> Void
  init(_ apply: @escaping @Sendable (inout Corner) -> Void) { self.apply = apply }

  /// Adds a line to the log.
  static func log(_ line: String) -> Change { Change { $0.log.append(line) } }
}

/// The action of an element is the store's own.
func unchanged<Action>(_ id: Int, _ action: Action) -> Action { action }

typealias CornerStore = Store<Corner, Change>
/// The store of a part or of an element.
typealias PieceStore = Store<Piece, Change>

extension Store where State == Corner, Action == Change {
  convenience init(_ corner: Corner = Corner(), on queue: Queue, options: StoreOptions = StoreOptions()) {
    self.init(initialState: corner, on: queue.queue, options: options) { $1.apply(&$0) }
  }

  /// Dispatches a change.
  func change(_ apply: @escaping @Sendable (inout Corner) -> Void) { dispatch(Change(apply)) }

  /// Connects what the part's lifetime holds.
  @discardableResult
  func connectPart(_ connect: @escaping @Sendable (PieceStore) -> Void) -> Connection {
    connectIfPresent(\.part, action: { (change: Change) in change }, connect)
  }

  /// Connects what each row's lifetime holds.
  @discardableResult
  func connectRows(_ connect: @escaping @Sendable (Int, PieceStore) -> Void) -> Connection {
    connectEach(\.rows, action: unchanged, connect)
  }
}

/// Serves what a piece wants.
struct PieceEffect<Failure: Error>: EffectComponent {
  typealias Action = Change
  let body: @Sendable (String, Send<Change>) async throws(Failure) -> Void

  init(
    throwing failure: Failure.Type,
    _ body: @escaping @Sendable (String, Send<Change>) async throws(Failure) -> Void
  ) {
    self.body = body
  }

  init(_ body: @escaping @Sendable (String, Send<Change>) async -> Void) where Failure == Never {
    self.body = body
  }

  func requests(in piece: Piece) -> Set<String> { piece.wanted }
  func run(_ wanted: String, send: Send<Change>) async throws(Failure) { try await body(wanted, send) }
  func action(for failure: Failure, of wanted: String) -> Change { .log("\(wanted) failed") }
}

/// Has one request while a number is positive: the number.
struct NumberEffect: EffectComponent {
  typealias Action = Change
  var asked = Recorder<Int>()
  var body: @Sendable (Int, Send<Change>) async -> Void = { _, _ in }

  func requests(in number: Int) -> Set<Int> {
    asked.append(number)
    return number > 0 ? [number] : []
  }

  func run(_ number: Int, send: Send<Change>) async { await body(number, send) }
}

struct Mishap: Error {}
