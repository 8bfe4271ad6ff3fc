import Millrace
import MillraceTesting
import Testing

/// Asks for channels, each with a volume, which is not a part of its identity.
private struct Channels: EffectComponent {
  struct Channel: Hashable, Sendable {
    let name: String
    var volume = 1
  }

  var replacement = RequestReplacement.restart
  func id(of channel: Channel) -> String { channel.name }
  func requests(in channels: [Channel]) -> Set<Channel> { Set(channels) }
  func run(_ channel: Channel, send: Send<Int>) async { Issue.record("a plan executes nothing") }
}

private typealias Plan = RequestPlan<Channels.Channel>

@Suite("Plans of requests") struct RequestPlanTests {
  private let a = Channels.Channel(name: "a")
  private let b = Channels.Channel(name: "b")
  private let c = Channels.Channel(name: "c")
  private let louder = Channels.Channel(name: "b", volume: 2)

  @Test("requests that are gone are stopped, new ones started, kept ones left alone")
  func startsAndStops() {
    let plan = Channels().plan(from: [a, b], to: [b, c])
    #expect(plan == Plan(starts: [c], stays: [b], stops: [a]))
  }

  @Test(
    "a changed value under one identity is replaced as the effect says",
    arguments: [RequestReplacement.restart, .handOver, .ignore])
  func replaced(replacement: RequestReplacement) {
    let plan = Channels(replacement: replacement).plan(from: [a, b], to: [a, louder])
    let change = Plan.Replacement(of: b, by: louder)
    switch replacement {
    case .restart: #expect(plan == Plan(stays: [a], restarts: [change]))
    case .handOver: #expect(plan == Plan(stays: [a], handsOver: [change]))
    case .ignore: #expect(plan == Plan(stays: [a], ignores: [change]))
    }
  }

  @Test("on connect everything is started")
  func connecting() {
    #expect(Channels().plan(connectingTo: [a, b]) == Plan(starts: [a, b]))
    #expect(Channels().plan(connectingTo: []) == Plan())
  }

  @Test("requests of one identity in one state clash, whichever state that is")
  func clashes() {
    #expect(Channels().plan(connectingTo: [a, b, louder]) == Plan(starts: [a], clashes: [b, louder]))
    #expect(Channels().plan(from: [b, louder], to: [a]) == Plan(starts: [a], clashes: [b, louder]))
  }

  @Test("a plan has a line for each request, in an order that does not change")
  func printed() {
    let change = Plan.Replacement(of: b, by: louder)
    let plan = Plan(
      starts: [c, a], stays: [b], restarts: [change], handsOver: [change], ignores: [change], stops: [a],
      clashes: [b])
    #expect(
      plan.description == """
        clashes Channel(name: "b", volume: 1)
        stops Channel(name: "a", volume: 1)
        restarts Channel(name: "b", volume: 1) as Channel(name: "b", volume: 2)
        hands over Channel(name: "b", volume: 1) to Channel(name: "b", volume: 2)
        ignores Channel(name: "b", volume: 1) becoming Channel(name: "b", volume: 2)
        stays Channel(name: "b", volume: 1)
        starts Channel(name: "a", volume: 1)
        starts Channel(name: "c", volume: 1)
        """)
    #expect(Plan().description == "nothing is asked for")
  }

  @Test("a plan is what a store does", arguments: 0..<64)
  func asInAStore(number: Int) async {
    let replacement = [RequestReplacement.restart, .handOver, .ignore][number % 3]
    let (before, after) = (subset(number / 3), subset(number * 7 + 5))
    let effect = Held(replacement: replacement)
    let store = Store(initialState: before, on: .immediate) { $0 = $1 }
    store.connect(effect)
    try? await effect.gate.waiters(atLeast: before.count)
    let began = effect.began.count
    store.dispatch(after)
    effect.gate.open()
    await store.settled()
    let plan = effect.plan(from: before, to: after)
    let expected = plan.starts.union(plan.restarts.map(\.new))
    #expect(Set(effect.began.values.dropFirst(began)) == expected)
  }

  /// Some of a, b and c, each quiet or loud.
  private func subset(_ bits: Int) -> [Channels.Channel] {
    ["a", "b", "c"].enumerated().compactMap { index, name in
      switch (bits / [1, 3, 9][index]) % 3 {
      case 0: nil
      case let volume: Channels.Channel(name: name, volume: volume)
      }
    }
  }

  /// Records which runs begin, and holds them.
  private struct Held: EffectComponent {
    var replacement: RequestReplacement
    let gate = Gate()
    let began = Recorder<Channels.Channel>()
    func id(of channel: Channels.Channel) -> String { channel.name }
    func requests(in channels: [Channels.Channel]) -> Set<Channels.Channel> { Set(channels) }
    func run(_ channel: Channels.Channel, send: Send<[Channels.Channel]>) async {
      await run(RequestUpdates(channel), send: send)
    }
    func run(_ channels: RequestUpdates<Channels.Channel>, send: Send<[Channels.Channel]>) async {
      began.append(channels.first)
      await gate.waitIgnoringCancellation()
      _ = await channels.makeAsyncIterator().next()  // a value that is left would be a new run
    }
  }
}
