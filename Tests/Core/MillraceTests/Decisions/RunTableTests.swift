import TestSupport
import Testing

@testable import Millrace

@Suite("RunTable")
struct RunTableTests {
  private typealias Table = RunTable<String, Job>

  private final class Driver {
    var table = Table()
    private var generations: UInt64 = 0

    func ask(_ jobs: Set<Job>, _ replacement: RequestReplacement, isClosing: Bool) -> [Table.Step] {
      let steps = table.requestsChanged(
        to: jobs.map { (id: $0.name, request: $0) }, replacement: replacement, isClosing: isClosing,
        generations: &generations)
      var all: [Table.Step] = []
      steps.inOrder { all.append($0) }
      return all
    }

    func returned(_ generation: UInt64, _ id: String, isClosing: Bool = false) -> Table.Step? {
      table.runReturned(generation, id: id, isClosing: isClosing, generations: &generations)
    }
  }

  private let driver = Driver()
  private var table: Table { driver.table }

  private func ask(
    _ jobs: Set<Job>, _ replacement: RequestReplacement = .restart, isClosing: Bool = false
  ) -> [Table.Step] {
    driver.ask(jobs, replacement, isClosing: isClosing)
  }

  @Test("new requests are created, kept ones left alone, gone ones stopped")
  func difference() {
    #expect(ask(["a"]) == [.create(generation: 1, "a", begins: true)])
    #expect(ask(["a"]) == [])
    #expect(ask(["b"]) == [.stop(generation: 1), .create(generation: 2, "b", begins: true)])
    #expect(ask([]) == [.stop(generation: 2)])
    #expect(!table.isEmpty)  // both bodies are still under way
    #expect(driver.returned(1, "a") == nil)
    #expect(driver.returned(2, "b") == nil)
    #expect(table.isEmpty)
  }

  @Test("while closing, the run that waits for another is discarded, and nothing of it is left")
  func closing() {
    _ = ask([Job("a", 1)])
    _ = ask([Job("a", 2)])
    #expect(driver.returned(1, "a", isClosing: true) == .discard(generation: 2))
    #expect(table.isEmpty)
    #expect(ask([]) == [])
  }

  @Test("a finished request stays finished until it differs or leaves")
  func finished() {
    _ = ask([Job("a", 1)])
    #expect(driver.returned(1, "a") == nil)
    #expect(table.finished == [Job("a", 1)])
    #expect(ask([Job("a", 1)]) == [])
    #expect(ask([Job("a", 2)]) == [.create(generation: 2, Job("a", 2), begins: true)])
    #expect(driver.returned(2, "a") == nil)
    #expect(ask([]) == [])
    #expect(table.isEmpty)
  }

  @Test("while closing, a changed value goes on with a run unless it would restart it; nothing else begins")
  func continues() {
    _ = ask([Job("a", 1)])
    #expect(ask([Job("a", 1), Job("b", 1)], isClosing: true) == [])
    #expect(ask([Job("a", 2)], .ignore, isClosing: true) == [])
    #expect(ask([Job("a", 3)], .handOver, isClosing: true) == [.handOver(generation: 1, Job("a", 3))])
    #expect(ask([Job("a", 4)], isClosing: true) == [.stop(generation: 1)])
    #expect(ask([Job("a", 4)], isClosing: true) == [])
    #expect(driver.returned(1, "a", isClosing: true) == nil)
    #expect(table.isEmpty)
  }

  @Test("while closing, what has finished is not run again with another value")
  func finishedWhileClosing() {
    _ = ask([Job("a", 1)])
    #expect(driver.returned(1, "a") == nil)
    #expect(ask([Job("a", 1)], .handOver, isClosing: true) == [])
    #expect(table.finished == [Job("a", 1)])
    #expect(ask([Job("a", 2)], .handOver, isClosing: true) == [])
    #expect(table.isEmpty)
  }

  @Test("a value that is ignored counts as finished, and is not run later")
  func ignored() {
    _ = ask([Job("a", 1)], .ignore)
    #expect(ask([Job("a", 2)], .ignore) == [])
    #expect(driver.returned(1, "a") == nil)
    #expect(table.finished == [Job("a", 2)])
    #expect(ask([Job("a", 2)], .ignore) == [])
    #expect(ask([Job("a", 1)], .ignore) == [.create(generation: 2, Job("a", 1), begins: true)])
    #expect(ask([], .ignore) == [.stop(generation: 2)])
    #expect(ask([Job("a", 3)], .ignore) == [.create(generation: 3, Job("a", 3), begins: false)])
    #expect(ask([Job("a", 4)], .ignore) == [])
    #expect(driver.returned(2, "a") == .begin(generation: 3))
    #expect(driver.returned(3, "a") == nil)
    #expect(table.finished == [Job("a", 4)])
  }

  @Test("a replaced run is stopped, and its successor begins when it has returned")
  func restart() {
    _ = ask([Job("a", 1)])
    #expect(
      ask([Job("a", 2)]) == [.stop(generation: 1), .create(generation: 2, Job("a", 2), begins: false)])
    #expect(driver.returned(1, "a") == .begin(generation: 2))
    #expect(driver.returned(1, "a") == nil)  // an old generation says nothing any more
    #expect(ask([Job("a", 2)], isClosing: true) == [])
  }

  @Test("a waiting run is discarded when it is replaced or no longer asked for")
  func waiting() {
    _ = ask([Job("a", 1)])
    _ = ask([Job("a", 2)])
    #expect(
      ask([Job("a", 3)]) == [.discard(generation: 2), .create(generation: 3, Job("a", 3), begins: false)])
    #expect(ask([]) == [.discard(generation: 3)])
    #expect(ask([Job("a", 3)]) == [.create(generation: 4, Job("a", 3), begins: false)])
    #expect(driver.returned(1, "a") == .begin(generation: 4))
    #expect(ask([]) == [.stop(generation: 4)])
    #expect(driver.returned(4, "a") == nil)
    #expect(table.isEmpty)
  }

  @Test("a request that leaves and comes back while its body has not returned is run anew")
  func comesBack() {
    _ = ask(["a"])
    #expect(ask([]) == [.stop(generation: 1)])
    #expect(ask(["a"]) == [.create(generation: 2, "a", begins: false)])
    #expect(driver.returned(1, "a") == .begin(generation: 2))
  }

  @Test("where changes are handed over, the run goes on")
  func handOver() {
    _ = ask([Job("a", 1)], .handOver)
    #expect(ask([Job("a", 2)], .handOver) == [.handOver(generation: 1, Job("a", 2))])
    #expect(ask([Job("a", 2)], .handOver) == [])
    #expect(ask([], .handOver) == [.stop(generation: 1)])
    // Nothing can be handed to a body that was stopped.
    #expect(
      ask([Job("a", 3)], .handOver) == [.create(generation: 2, Job("a", 3), begins: false)])
  }

  @Test("two requests of one identity clash, and one is served")
  func clash() {
    let steps = ask([Job("a", 1), Job("a", 2)])
    #expect(steps.count == 2)
    guard case .create(1, let served, true) = steps.first, case .clash(let first, let second) = steps.last
    else {
      Issue.record("no clash: \(steps)")
      return
    }
    #expect(first == served)
    #expect(second != served)
  }

  @Test(
    "whatever is asked for and returns, one body of an identity goes on, and the end is empty",
    arguments: 0..<50)
  func anySequence(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let names = ["a", "b", "c"]
    var bodies: [UInt64: String] = [:]  // bodies that go on, stopped or not
    var wanted: [UInt64: Job] = [:]  // runs that count, begun or not
    var finished: Set<Job> = []
    var asked: Set<Job> = []

    func apply(_ steps: [Table.Step]) {
      for step in steps {
        switch step {
        case .create(let generation, let job, let begins):
          wanted[generation] = job
          if begins {
            #expect(!bodies.values.contains(job.name))
            bodies[generation] = job.name
          }
        case .begin(let generation):
          let name = wanted[generation]?.name
          #expect(name != nil && !bodies.values.contains(name ?? ""))
          bodies[generation] = name
        case .stop(let generation):
          #expect(bodies[generation] != nil)
          wanted[generation] = nil
        case .discard(let generation):
          #expect(bodies[generation] == nil)
          wanted[generation] = nil
        case .handOver, .clash: Issue.record("not asked for: \(step)")
        }
      }
    }

    for _ in 0..<200 {
      if Bool.random(using: &random), let generation = bodies.keys.sorted().randomElement(using: &random) {
        let name = bodies.removeValue(forKey: generation) ?? ""
        if let job = wanted.removeValue(forKey: generation) { finished.insert(job) }
        apply([driver.returned(generation, name)].compactMap(\.self))
      } else {
        asked = Set(
          names.filter { _ in Bool.random(using: &random) }
            .map { Job($0, Int.random(in: 0..<2, using: &random)) })
        apply(ask(asked))
        finished.formIntersection(asked)
      }
      #expect(Set(wanted.values).union(finished) == asked)
      #expect(Set(table.finished) == finished)
    }
    apply(ask([]))
    for (generation, name) in bodies { #expect(driver.returned(generation, name) == nil) }
    #expect(table.isEmpty)
  }
}
