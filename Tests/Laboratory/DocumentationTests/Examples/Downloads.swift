import Millrace
import MillraceTesting
import Testing

// WritingAnEffectComponent
struct Downloads: Equatable, Sendable {
  struct Item: Equatable, Sendable {
    var attempt = 1
    var isDone = false
  }
  var items: [String: Item] = [:]
}

enum DownloadAction: Equatable, Sendable {
  case finished(String)
  case failed(String)
}

struct DownloadEffect: EffectComponent {
  struct Request: Hashable, Sendable {
    let name: String
    let attempt: Int
  }

  let fetch: @Sendable (String) async throws -> Void

  func id(of request: Request) -> String { request.name }

  func requests(in state: Downloads) -> Set<Request> {
    Set(
      state.items.lazy.filter { !$0.value.isDone }.map { name, item in
        Request(name: name, attempt: item.attempt)
      })
  }

  func run(_ request: Request, send: Send<DownloadAction>) async throws {
    try await fetch(request.name)
    await send(.finished(request.name))
  }

  func action(for failure: any Error, of request: Request) -> DownloadAction {
    .failed(request.name)
  }
}

struct FeedEffect: EffectComponent {
  let numbers: @Sendable () -> AsyncStream<Int>

  func requests(in isOpen: Bool) -> Set<String> { isOpen ? ["feed"] : [] }

  func run(_ request: String, send: Send<Int>) async {
    for await number in numbers() {
      guard await send(number) == .reduced else { return }
    }
  }
}

@Suite struct DownloadExamples {
  private struct Unreachable: Error {}

  @Test("downloads that are not done are asked for, each under its name")
  func asking() {
    // WritingAnEffectComponent
    let effect = DownloadEffect { _ in }
    let state = Downloads(items: ["a": .init(), "b": .init(isDone: true)])
    #expect(effect.requests(in: state) == [DownloadEffect.Request(name: "a", attempt: 1)])
  }

  @Test("a failed download is tried again when its attempt differs")
  func attempts() async {
    let store = Store(
      initialState: Downloads(items: ["a": .init()]), on: .immediate,
      reduce: { (state: inout Downloads, action: DownloadAction) in
        switch action {
        case .finished(let name): state.items[name]?.isDone = true
        case .failed(let name): state.items[name]?.attempt += 1
        }
      })
    let calls = Recorder<String>()
    store.connect(
      DownloadEffect { name in
        calls.append(name)
        if calls.count < 3 { throw Unreachable() }
      })
    await store.settled()
    #expect(store.state.items["a"] == Downloads.Item(attempt: 3, isDone: true))
  }

  @Test("a feed ends when it is told that its run is over")
  func feed() async {
    let feed = FeedEffect {
      AsyncStream { stream in
        for number in 1...3 { stream.yield(number) }
        stream.finish()
      }
    }
    // WritingAnEffectComponent
    let sent = Recorder<Int>()
    await feed.run("feed", send: .recording(into: sent, answering: .fenced))
    #expect(sent.values == [1])
  }

  @Test("a handed over value comes to the run that goes on")
  func handedOver() async {
    let player = Player()
    // WritingAnEffectComponent, handing over
    let tracks = RequestUpdates(Track(name: "Aria", volume: 3))
    tracks.offer(Track(name: "Aria", volume: 5))
    tracks.finish()
    await PlayerEffect(player: player).run(following: tracks, send: .recording(into: Recorder()))
    #expect(player.volumes.values == [5])
  }
}
