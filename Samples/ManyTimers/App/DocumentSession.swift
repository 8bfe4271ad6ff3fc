import LonelyTimer
import Millrace
import MillraceTesting

/// Opens and closes documents, and shows that nothing of a closed document is left.
enum DocumentSession {
  static func run(write: @Sendable (String) -> Void) async {
    let clock = TestClock()
    let documents = Documents(clock: clock)
    for name in ["draft", "letter", "report"] {
      await documents.open(name).send(.toggled)
      write("opened and started \(name)")
    }
    await documents.open("letter").send(.toggled)
    write("stopped letter")
    guard (try? await clock.sleepers(atLeast: 2)) != nil else { return }  // cancelled
    clock.advance(by: .milliseconds(100))
    for name in ["draft", "report"] {
      _ = await documents.open(name).values(of: \.ticks).first { $0 == 1 }
    }
    guard (try? await clock.sleepers(atLeast: 2)) != nil else { return }  // both wait for their next tick
    for name in await documents.names {
      write("\(name): \(ListFace.text(await documents.open(name).state))")
    }

    let closed = WeakDocument(await documents.open("draft"))
    if let report = await documents.close("draft") { write("closed draft: \(report)") }
    write("  what is connected and runs: \(closed.document?.activity.entries.count ?? 0)")
    write("  the store itself: \(closed.document == nil ? "gone" : "still there")")
    write("  asleep on the clock: \(clock.sleepers.count)")

    let again = await documents.open("draft")
    write("opened draft again: \(ListFace.text(again.state))")
    for name in await documents.names { await documents.close(name) }
    write("closed all, asleep on the clock: \(clock.sleepers.count)")
  }
}

/// Refers to a document without keeping it.
struct WeakDocument {
  weak var document: Documents.Document?
  init(_ document: Documents.Document) { self.document = document }
}
