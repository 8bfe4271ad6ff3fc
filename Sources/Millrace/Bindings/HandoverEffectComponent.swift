/// An effect component whose run goes on when its request changes under one identity, and gets the new value.
///
/// Use it where stopping and starting over would lose something: a socket whose subscriptions change, a player
/// whose volume does. Give ``EffectComponent/id(of:)``, since by default a changed request is another identity,
/// and name the `Action`, which is not inferred here.
///
/// ```swift
/// struct PlayerEffect: HandoverEffectComponent {
///   typealias Action = PlayerAction
///   let player: Player
///   func id(of track: Track) -> String { track.name }
///   func requests(in state: Track?) -> Set<Track> { Set([state].compactMap(\.self)) }
///   func run(following tracks: RequestUpdates<Track>, send: Send<Action>) async {
///     for await track in tracks { await player.setVolume(track.volume, of: track.name) }
///   }
/// }
/// ```
public protocol HandoverEffectComponent: EffectComponent {
  /// Serves one identity: the first request, then the values that replace it. Called as
  /// `run(_:send:)` of ``EffectComponent`` is.
  func run(following requests: RequestUpdates<Request>, send: Send<Action>) async throws(Failure)
}

extension HandoverEffectComponent {
  /// `.handOver`
  public var replacement: RequestReplacement { .handOver }

  /// Serves `request` as the only value of its identity.
  public func run(_ request: Request, send: Send<Action>) async throws(Failure) {
    try await run(following: RequestUpdates(request), send: send)
  }

  /// Serves the values of one identity by `run(following:send:)`.
  public func run(_ requests: RequestUpdates<Request>, send: Send<Action>) async throws(Failure) {
    try await run(following: requests, send: send)
  }
}
