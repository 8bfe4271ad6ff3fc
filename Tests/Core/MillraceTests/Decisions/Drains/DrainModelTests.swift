import Foundation
import Millrace
import TestSupport
import Testing

/// Every order of the steps of a few parties, and what holds in all of them: no two drains at once, and wherever
/// something waits, some party is still to drain.
@Suite("Drains, in every order of their steps")
struct DrainModelTests {
  private static let stuck: [DrainWorld.Stuck] = [.nothing, .usualQueue, .release]
  /// Whether worlds with more parties are explored, too, which takes minutes.
  private static let isFull = TestSize.isFull

  private func check(_ world: DrainWorld, _ stuck: DrainWorld.Stuck) {
    let reached = Reachability(from: world) { $0.moves(stuck) }
    if let number = reached.first(where: \.hasTwoDrains) {
      Issue.record("two drains at once:\n\(reached.story(to: number))")
    }
    if let number = reached.lost(to: { !$0.isBusy && $0.isIdle }).first {
      Issue.record("something waits for ever after:\n\(reached.story(to: number))")
    }
    guard stuck == .nothing else { return }
    let hasEnded = reached.ends.allSatisfy { reached.configurations[$0].parties.isEmpty }
    #expect(!reached.ends.isEmpty && hasEnded, "a party stays for ever")
  }

  @Test("drains of two sending threads hold in every order of their steps", arguments: stuck)
  func senders(stuck: DrainWorld.Stuck) {
    check(DrainWorld(connecting: false, .posts([.plain]), .posts([.plain])), stuck)
  }

  @Test("a run that sends and returns", arguments: stuck)
  func run(stuck: DrainWorld.Stuck) {
    check(DrainWorld(connecting: false, .posts([.ask])), stuck)
  }

  @Test("a component, and a task that waits until the store has settled", arguments: stuck)
  func component(stuck: DrainWorld.Stuck) {
    check(DrainWorld(connecting: true, .posts([.plain]), .settles), stuck)
  }

  @Test("two threads that need their results at once", arguments: stuck)
  func callers(stuck: DrainWorld.Stuck) {
    check(DrainWorld(connecting: false, .claims, .claims), stuck)
  }

  @Test("a thread that needs its result at once, and one that does not", arguments: stuck)
  func caller(stuck: DrainWorld.Stuck) {
    check(DrainWorld(connecting: false, .claims, .posts([.plain])), stuck)
  }

  @Test("drains of more threads hold in every order of their steps", .enabled(if: isFull), arguments: stuck)
  func more(stuck: DrainWorld.Stuck) {
    check(DrainWorld(connecting: false, .posts([.plain, .plain]), .posts([.plain]), .settles), stuck)
    check(DrainWorld(connecting: false, .posts([.ask, .drop]), .settles), stuck)
    check(DrainWorld(connecting: true, .posts([.plain]), .posts([.plain]), .settles), stuck)
    check(DrainWorld(connecting: true, .posts([.ask]), .settles), stuck)
    check(DrainWorld(connecting: false, .claims, .posts([.plain, .plain])), stuck)
    check(DrainWorld(connecting: false, .claims, .posts([.ask])), stuck)
  }
}
