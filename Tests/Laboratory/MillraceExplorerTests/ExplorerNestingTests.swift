import Millrace
import MillraceExplorer
import MillraceTesting
import Testing

/// Effects of a slice of an element, and of a slice of an optional value.
@Suite struct ExplorerNestingTests {
  struct Switch: Hashable, Sendable {
    var isOn = false
  }

  struct Lamp: Identifiable, Hashable, Sendable {
    let id: Int
    var isBroken = false
    var state = Switch()
  }

  struct House: Hashable, Sendable {
    var lamps: KeyedArray<Lamp> = [Lamp(id: 1), Lamp(id: 2)]
    var porch: Lamp?

    /// The number of lamps that are on.
    var isOnCount: Int { lamps.count { $0.state.isOn } + (porch?.state.isOn == true ? 1 : 0) }
  }

  enum Action: Sendable {
    case pressed(Int)
    case removed(Int)
    case porchBuilt
    case porchPressed
    case porchTornDown
  }

  private static func reduce(_ house: inout House, _ action: Action) {
    switch action {
    case .pressed(let id): house.lamps.mutate(id: id) { $0.state.isOn.toggle() }
    case .removed(let id): house.lamps.remove(id: id)
    case .porchBuilt: house.porch = Lamp(id: 3)
    case .porchPressed: house.porch?.state.isOn.toggle()
    case .porchTornDown: house.porch = nil
    }
  }

  private static func shine(_ lamp: Store<Lamp, Action>) {
    lamp.scope(\.state).connect(when: { $0.isOn ? "shine" : nil }, run: { _, _ in })
  }

  @Test func theRequestsAreThoseOfTheStateWhereverItIsReachedFrom() {
    let report = Explorer(initialState: House(), reduce: Self.reduce) { store in
      store.connectEach(\.lamps, action: { $1 }) { _, lamp in Self.shine(lamp) }
      store.connectIfPresent(\.porch, action: { $0 }) { lamp in Self.shine(lamp) }
    }
    .userActions { _ in [.pressed(1), .pressed(2), .removed(2), .porchBuilt, .porchPressed, .porchTornDown] }
    .outcomes(of: String.self) { _ in [] }
    .always("each lamp that is on shines") { house, running in running.count == house.isOnCount }
    .explore()
    #expect(report.isClean, "\(report)")
    #expect(report.counts.states == 2 * 3 * 3)
  }
}
