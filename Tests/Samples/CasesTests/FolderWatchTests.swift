import Foundation
import Millrace
import MillraceTesting
import Testing

@testable import cases

@Suite("The case of a watched folder") struct FolderWatchTests {
  @Test("a folder that cannot be listed is not taken for an empty one")
  func unreadable() async throws {
    #expect(throws: CocoaError.self) { try FolderWatch.files(of: "/no such folder") }
    let clock = TestClock()
    let store = Store(initialState: FolderWatch.State(), on: .immediate, reduce: FolderWatch.reduce)
    FolderWatch.connect(to: store, clock: clock, list: { try FolderWatch.files(of: $0) }, read: { _ in })
    let file = FolderWatch.File(name: "a", changed: Date(timeIntervalSince1970: 1))
    store.dispatch(.watched("/no such folder"))
    store.dispatch(.listed([file.name: file.changed]))
    store.dispatch(.read(file))
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    try await clock.sleepers(atLeast: 1)  // it has been looked at again
    #expect(store.state.read == [file.name: file.changed])
    await store.shutdown()
  }
}
