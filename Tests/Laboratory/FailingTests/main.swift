// Failures under XCTest and outside of tests: a program that a test runs, and of which it reads the output. XCTest
// expects no failures on Linux.
#if canImport(XCTest) && !canImport(Darwin)
import MillraceFaults
import Dispatch
import MillraceTestStore
import XCTest

final class FailingTests: XCTestCase {
  func testInTheTest() {
    let load: @Sendable () -> Void = unimplemented("Client.load")
    load()
  }

  func testInADetachedTask() async {
    let load: @Sendable (Int) async -> Void = unimplemented("Client.load")
    await Task.detached { await load(1) }.value
  }

  func testOnAnotherThread() async {
    let load: @Sendable (Int) -> Void = unimplemented("Client.load")
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        load(2)
        continuation.resume()
      }
    }
  }

  func testStepsOfATestStore() async {
    let add = { @Sendable (count: inout Int, step: Int) in count += step }
    let store = TestStore(initialState: 0, reduce: add) {
      $0.connect(when: { $0 > 1 ? "page \($0)" : nil }, named: "load", run: { _, _ in })
    }
    store.send(1) { $0 = 2 }
    store.send(1) { $0 = 2 }
    await store.finish()
  }

  /// Charges and prints, and asserts what holds if nothing goes wrong.
  private func pays(_ store: TestStore<[String], String>, asserting: Bool) async {
    store.exhaustivity = .none
    store.answer("charge", with: "charged")
    if asserting { XCTAssertEqual(store.state, ["charged"]) }
    await store.finish()
  }

  private var matrix: FaultMatrix<[String], String> {
    FaultMatrix(
      initialState: [], reduce: { $0.append($1) },
      connect: { $0.connect(when: { $0.isEmpty ? "charge" : nil }, named: "pay", run: { _, _ in }) }
    )
    .invariant("charged once") { $0.count <= 2 }
  }

  private var crashes: CrashAnywhere<[String], String> {
    CrashAnywhere(
      initialState: [], reduce: { $0.append($1) }, persisting: { _ in [] },
      connect: { $0.connect(when: { $0.isEmpty ? "charge" : nil }, named: "pay", run: { _, _ in }) })
  }

  func testAssertionsInReruns() async {
    let report = await matrix.run { await pays($0, asserting: true) }
    XCTAssertEqual(report.reruns, 3)
    let crashes = await crashes.run { store in
      await pays(store, asserting: false)
      XCTAssertEqual(store.state, ["charged"])
    }
    XCTAssertEqual(crashes.points, 1)
  }

  func testAssertionsOutsideOfReruns() async {
    let report = await matrix.run { await pays($0, asserting: !$0.isRerun) }
    XCTAssertTrue(report.isClean, "\(report)")
    _ = await crashes.run { store in
      await pays(store, asserting: !store.isRerun)
      if !store.isRerun { XCTAssertEqual(store.state, ["charged"]) }
    }
  }

  func testThatPasses() {}
}

if CommandLine.arguments.contains("outside") {
  let load: @Sendable () -> Void = unimplemented("Client.load")
  load()
} else {
  XCTMain([
    testCase([
      ("testInTheTest", FailingTests.testInTheTest), ("testThatPasses", FailingTests.testThatPasses),
    ]),
    testCase([
      ("testInADetachedTask", asyncTest(FailingTests.testInADetachedTask)),
      ("testOnAnotherThread", asyncTest(FailingTests.testOnAnotherThread)),
      ("testStepsOfATestStore", asyncTest(FailingTests.testStepsOfATestStore)),
      ("testAssertionsInReruns", asyncTest(FailingTests.testAssertionsInReruns)),
      ("testAssertionsOutsideOfReruns", asyncTest(FailingTests.testAssertionsOutsideOfReruns)),
    ]),
  ])
}
#endif
