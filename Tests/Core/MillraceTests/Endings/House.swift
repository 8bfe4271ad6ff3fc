import Millrace
import MillraceTesting
import TestSupport
import Testing

/// A state with the same room in three places, each of which ends in a way of its own.
struct House: Equatable, Sendable {
  struct Room: Identifiable, Equatable, Sendable {
    let id: Int
    var number = 1
    var guest: Guest? = Guest(id: 1)
    var guests: KeyedArray<Guest> = [Guest(id: 1)]
    /// What it always asks for.
    var work: Int? { 1 }
  }

  /// What a room keeps: shows the room's number.
  struct Guest: Identifiable, Equatable, Sendable {
    let id: Int
    var number = 1
  }

  var room = Room(id: 0)
  var part: Room? = Room(id: 0)
  var rooms: KeyedArray<Room> = [Room(id: 0), Room(id: 1)]
  var log: [String] = []

  enum Action: Equatable, Sendable {
    /// Every room and guest shows this number.
    case show(Int)
    case log(String)
    case endPart
    case endElement
  }

  /// The action of a part is the store's own.
  static func unchanged(_ action: Action) -> Action { action }

  static func reduce(_ house: inout House, _ action: Action) {
    switch action {
    case .show(let number):
      for room in [\House.room, \.[room: 0], \.[room: 1]] { house[keyPath: room].show(number) }
      house.part?.show(number)
    case .log(let line): house.log.append(line)
    case .endPart: house.part = nil
    case .endElement: house.rooms.remove(id: 0)
    }
  }

  private subscript(room id: Int) -> Room {
    get { rooms[id: id] ?? Room(id: id) }
    set { if rooms[id: id] != nil { rooms[id: id] = newValue } }
  }
}

extension House.Room {
  fileprivate mutating func show(_ number: Int) {
    self.number = number
    guest?.number = number
    guests[id: 1]?.number = number
  }
}

typealias HouseStore = Store<House, House.Action>
typealias RoomStore = Store<House.Room, House.Action>

/// The kinds of things that are connected, each with what it got when all is over.
enum Resident: CaseIterable, Sendable {
  case effect, component, view, values, actions, first, ifPresent, each, onAction, observe

  /// What ends the waits of work, of tasks and of threads.
  struct Hold: Sendable {
    let gate = Gate()
    let signal = Signal(patience: .seconds(600))

    func end() {
      gate.open()
      for _ in 0..<8 { signal.give() }
    }
  }

  /// What was connected, with what it got.
  struct Stay: Sendable {
    let connection: Connection?
    let got: Recorder<String>
    /// Reads what a sequence has recorded, up to its end.
    var rest: Task<Void, Never>?
  }

  /// Connects one of this kind. It has begun to work once `got` or the hold says so, and goes on once the hold has ended.
  @MainActor func connect(to room: RoomStore, _ hold: Hold, keeping views: Recorder<View>) -> Stay {
    let got = Recorder<String>()
    let component = ClosureComponent<Int> { number in
      got.append("\(number)")
      await hold.gate.waitIgnoringCancellation()
    }
    var connection: Connection?
    var rest: Task<Void, Never>?
    switch self {
    case .effect:
      connection = room.connect(when: \.work, named: "effect") { _, send in
        await hold.gate.waitIgnoringCancellation()
        got.append("\(await send(.log("late")))")
      }
    case .component: connection = room.connect(component, to: \.number, named: "component")
    case .view:
      let view = View(got)
      views.append(view)
      connection = room.connect(view, to: \.number, named: "view")
    case .values:
      let values = room.values(of: \.number)
      rest = Task {
        await hold.gate.waitIgnoringCancellation()
        for await number in values { got.append("\(number)") }
        got.append("end")
      }
    case .actions:
      let actions = room.actions()
      rest = Task {
        await hold.gate.waitIgnoringCancellation()
        for await (_, room) in actions { got.append("\(room.number)") }
        got.append("end")
      }
    case .first: rest = Task { got.append("\(await room.first { _ in false }?.number ?? 0)") }
    case .ifPresent:
      connection = room.connectIfPresent(\.guest, action: House.unchanged) {
        $0.connect(component, to: \.number, named: "inner")
      }
    case .each:
      connection = room.connectEach(\.guests, action: unchanged) {
        (_, guest: Store<House.Guest, House.Action>) in
        guest.connect(component, to: \.number, named: "inner")
      }
    case .onAction:
      connection = room.onAction { _, room in
        got.append("\(room.number)")
        hold.signal.wait()
      }
    case .observe: connection = room.observe(Observer(got, hold.signal), named: "observe")
    }
    return Stay(connection: connection, got: got, rest: rest)
  }

  @MainActor final class View: ViewComponent {
    private let got: Recorder<String>
    var props = 0 { didSet { got.append("\(props)") } }
    init(_ got: Recorder<String>) { self.got = got }
  }

  private final class Observer: StoreObserver {
    private let got: Recorder<String>
    private let signal: Signal
    init(_ got: Recorder<String>, _ signal: Signal) { (self.got, self.signal) = (got, signal) }

    func observe(_ event: StoreEvent) {
      guard case .willReduce(let action as House.Action, _, _) = event.kind, case .show(let number) = action
      else { return }
      got.append("\(number)")
      signal.wait()
    }
  }
}
