import Millrace
import MillraceFeature

/// Decides for one effect as the runtime does, by ``EffectRuns``.
final class ReplayedEffect<Wired: WiredEffect>: ReplayedPlace {
  private let wired: Wired
  private var asked: Set<Wired.Effect.Request> = []
  private var runs: EffectRuns<Wired.Effect>
  let name: String
  var connection: UInt64?
  var isConnected = false

  init(_ wired: Wired, _ redactor: Redactor) {
    (self.wired, runs) = (wired, EffectRuns(wired.effect))
    name = redactor.redact(wired.connection.name)
  }

  func sliceChanged(_ turn: inout ReplayedTurn) { requestsChanged(to: wired.requests, &turn) }

  func end(_ turn: inout ReplayedTurn) { requestsChanged(to: { [] }, &turn) }

  private func requestsChanged(to requests: () -> Set<Wired.Effect.Request>, _ turn: inout ReplayedTurn) {
    if turn.unknown.contains(name) { return }
    let requests = requests()
    if requests == asked { return }
    asked = requests
    for decision in runs.requestsChanged(to: Array(requests)) { expect(decision, &turn) }
  }

  private func expect(_ decision: EffectRuns<Wired.Effect>.Decision, _ turn: inout ReplayedTurn) {
    switch decision {
    case .starts(let run): turn.expect(.starts, run.newest, of: self, run.generation)
    case .stops(let run): turn.expect(.stops, run.newest, of: self, run.generation)
    case .handsOver(let run): turn.expect(.handsOver, run.newest, of: self, run.generation)
    case .waits, .discards, .clashes: break
    }
  }

  func returned(_ generation: UInt64, leavingValue: Bool, _ turn: inout ReplayedTurn) {
    if let next = runs.runReturned(generation, leavingValue: leavingValue) { expect(next, &turn) }
  }

  func resume(_ names: Set<String>?, _ live: inout LiveRuns, _ turn: inout ReplayedTurn) {
    if turn.unknown.contains(name) || names?.contains(name) == false { return }
    (runs, asked) = (EffectRuns(wired.effect), wired.requests())
    for case .starts(let run) in runs.requestsChanged(to: Array(asked)) {
      let text = turn.payloads.payload(of: run.begun).text
      if let known = live.take(name, text, of: connection) {
        turn.bind(known.generation, known.start.connection, to: self, run.generation)
      } else {
        // Asked for and not running: it has finished.
        _ = runs.runReturned(run.generation)
      }
    }
  }
}
