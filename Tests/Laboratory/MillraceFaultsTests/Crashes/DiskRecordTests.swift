import Millrace
import Testing

@testable import MillraceFaults

@Suite struct DiskRecordTests {
  @Test func aSaveHasTheStateByWhichItWasAskedFor() async {
    let posts = await RunKey.ofRuns(2)
    var disk = DiskRecord<String>()
    #expect(disk.state == nil && disk.unsaved.isEmpty)
    disk.saveAsked(by: 1, "save a", of: "a")
    disk.sent(posts[0])
    disk.saveAsked(by: 1, "save a", of: "a, sent")
    #expect(disk.unsaved == [posts[0]])
    disk.saveAnswered(by: 1)
    #expect(disk.state == "a" && disk.unsaved == [posts[0]])
    disk.saveAsked(by: 1, "save b", of: "b")
    disk.sent(posts[1])
    disk.saveAnswered(by: 1)
    #expect(disk.state == "b" && disk.unsaved == [posts[1]])
  }

  @Test func anOlderSaveThatEndsLaterDoesNotTakeBackWhatIsSaved() async {
    let posts = await RunKey.ofRuns(1)
    var disk = DiskRecord<String>()
    disk.saveAsked(by: 1, "save", of: "a")
    disk.sent(posts[0])
    disk.saveAsked(by: 2, "save", of: "b")
    disk.saveAnswered(by: 2)
    disk.saveAnswered(by: 1)
    #expect(disk.state == "b" && disk.unsaved.isEmpty)
    disk.saveAnswered(by: 3)
    #expect(disk.state == "b")
  }

  @Test func whatIsSentAgainAfterTheRestartIsKnown() async {
    let posts = await RunKey.ofRuns(2)
    var disk = DiskRecord<String>()
    disk.sent(posts[0])
    disk.sent(posts[1])
    disk.restarted()
    disk.saveAsked(by: 1, "save", of: "a")
    disk.saveAnswered(by: 1)
    #expect(disk.state == nil)
    disk.sent(posts[1])
    #expect(disk.forgotten == [posts[0]])
  }
}
