import Millrace
import MillraceTesting
import Testing

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
