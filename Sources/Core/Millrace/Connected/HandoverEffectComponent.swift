/// An effect component whose run continues when its request changes under one identity, and receives the new value.
///
/// Use it if a restart would lose something: a socket whose subscriptions change, or a player whose volume changes.
/// Implement ``EffectComponent/id(of:)``, since by default a changed request has another identity. Declare the `Action`
/// type, which the compiler does not infer here.
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
  /// Serves one identity: the first request, then the values that replace it. Called in a task of its own, under the
  /// rules of `run(_:send:)` of ``EffectComponent``.
  func run(following requests: RequestUpdates<Request>, send: Send<Action>) async throws(Failure)
}

extension HandoverEffectComponent {
  /// Always `.handOver`.
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
