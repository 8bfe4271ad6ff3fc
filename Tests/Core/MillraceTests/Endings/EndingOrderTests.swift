import MillraceTesting
import TestSupport
import Testing

@testable import Millrace

@Suite("The order of endings", .timeLimit(.minutes(10)))
struct EndingOrderTests {
  /// The names of those that end together, one group after the other.
  private static let atOnce = [
    ["effect", "component", "view", "values", "actions", "first(where:)", "ifPresent", "each"],
    ["onAction", "observe"],
  ]
  private static let inOrder = [
    ["effect"], ["values", "actions", "first(where:)"], ["component", "view", "ifPresent", "each"],
    ["onAction", "observe"],
  ]

  enum Way: CaseIterable, Sendable {
    case part, element, keeper, lastHandle, shutdown, scopeShutdown, partShutdown
  }

  @MainActor
  @Test("kinds end in the order of their ending, observers last", arguments: Way.allCases, Queue.allCases)
  func order(way: Way, queue: Queue) async throws {
    let (hold, views, late) = (Resident.Hold(), Recorder<Resident.View>(), Late<RoomStore>())
    hold.end()
    let ended = Recorder<String>()
    var options = StoreOptions()
    options.seams.witness = { if case .disconnected(let connection) = $0 { ended.append(connection.name) } }
    var store: HouseStore? = HouseStore(
      initialState: House(), on: queue.queue, options: options, reduce: House.reduce)
    let isPart = [Way.part, .keeper, .partShutdown].contains(way)
    var keeper: Connection?
    if isPart {
      keeper = store?.connectIfPresent(\.part, action: House.unchanged, named: "keeper") {
        late.value = $0
      }
    } else if way == .element {
      keeper = store?.connectEach(\.rooms, action: unchanged, named: "keeper") { id, room in
        if id == 0 { late.value = room }
      }
    } else {
      late.value = store?.scope(\.room)
    }
    await store?.settled()
    // A task that waits for a state holds the handle.
    let kinds = Resident.allCases.reversed().filter { $0 != .first || way != .lastHandle }
    let stays = try kinds.map { $0.connect(to: try #require(late.value), hold, keeping: views) }
    // Connected by a task of its own.
    if kinds.contains(.first) {
      try await eventually {
        store?.activity.entries.contains { $0.connection.name == "first(where:)" } ?? false
      }
    }
    await store?.send(.show(2))
    await store?.settled()
    switch way {
    case .part: store?.dispatchAndWait(.endPart)
    case .element: store?.dispatchAndWait(.endElement)
    case .keeper: keeper?.disconnect()
    case .lastHandle: (store, late.value) = (nil, nil)
    case .shutdown: await store?.shutdown()
    case .scopeShutdown, .partShutdown: await late.value?.shutdown()
    }
    for stay in stays {
      await stay.connection?.finished()
      await stay.rest?.value
    }
    let names = ended.values.filter { $0 != "inner" && $0 != "keeper" }
    let groups = [.shutdown, .scopeShutdown, .partShutdown].contains(way) ? Self.inOrder : Self.atOnce
    var rest = names[...]
    for group in groups.map({ $0.filter { $0 != "first(where:)" || way != .lastHandle } }) {
      #expect(Set(rest.prefix(group.count)) == Set(group), "of \(names)")
      rest = rest.dropFirst(group.count)
    }
    #expect(rest.isEmpty, "of \(names)")
    withExtendedLifetime((store, keeper)) {}
  }

  @Test("every ending ends each kind once, observers after all others", arguments: Ending.allCases)
  func steps(ending: Ending) {
    let ends = ending.steps.compactMap { if case .end(let kinds) = $0 { kinds } else { nil } }
    #expect(ends.joined().count == ConnectionKind.allCases.count)
    #expect(Set(ends.joined()) == Set(ConnectionKind.allCases))
    #expect(ends.last == [.observer])
  }

  @Test("a shutdown gives those that show a state its last props, and waits for them, before it ends them")
  func lastProps() throws {
    let steps = Ending.shutdown.steps
    let given = try #require(steps.firstIndex(of: .giveLastProps(to: [.keeper, .receiver])))
    let awaited = try #require(steps.firstIndex(of: .awaitReturns))
    let ended = try #require(steps.firstIndex(of: .end([.keeper, .receiver])))
    #expect(steps.first == .end([.effect]))
    #expect(given < awaited && awaited < ended)
    #expect(steps.last == .awaitReturns)
  }
}
