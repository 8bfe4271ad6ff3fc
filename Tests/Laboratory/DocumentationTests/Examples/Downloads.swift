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
}

struct Track: Hashable, Sendable {
  var name: String
  var volume: Int
}

enum PlayerAction: Sendable { case ended }

struct Player: Sendable {
  let volumes = Recorder<Int>()
  func setVolume(_ volume: Int, of track: String) async { volumes.append(volume) }
}

// HandoverEffectComponent
struct PlayerEffect: HandoverEffectComponent {
  typealias Action = PlayerAction
  let player: Player
  func id(of track: Track) -> String { track.name }
  func requests(in state: Track?) -> Set<Track> { Set([state].compactMap(\.self)) }
  func run(following tracks: RequestUpdates<Track>, send: Send<Action>) async {
    for await track in tracks { await player.setVolume(track.volume, of: track.name) }
  }
}

@Suite struct PlayerExamples {
  @Test("a player's volume changes while it plays")
  func handedOver() async throws {
    let player = Player()
    let store = Store(initialState: Track?.none) { (state: inout Track?, new: Track?) in state = new }
    store.connect(
      PlayerEffect(player: player), to: \.self, action: { (_: PlayerAction) in Track?.none })
    store.dispatch(Track(name: "Aria", volume: 3))
    try await player.volumes.values(atLeast: 1)
    store.dispatch(Track(name: "Aria", volume: 5))
    #expect(try await player.volumes.values(atLeast: 2) == [3, 5])
  }
}
