import Foundation
import MillraceStorage

/// Shows what the shop keeps, and what waits in an engine that is a folder. Asks the shop for changes.
struct KeptOrders {
  let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// Reads the file of the shop, and the folder even if that cannot be read.
  ///
  /// - Returns: the exit code: 1 if there is no such entry or lane, 2 if a file cannot be read, 3 if one is damaged.
  func run() -> Int32 {
    var code: Int32 = 0
    func fail(_ words: String, _ exitCode: Int32) {
      FileHandle.standardError.write(Data("orders: \(words)\n".utf8))
      code = max(code, exitCode)
    }
    do throws(StorageFailure) {
      let work = try KeptWork(contentsOf: "\(invocation.home)/shop")
      if let damage = work.damage { fail("\(work.path): \(damage)", 3) }
      if let key = invocation.shown {
        if let entry = work.entry(key) { say(entry.text()) } else { fail("there is no entry \(key)", 1) }
      } else if let change = invocation.change {
        if let refusal = work.refusal(of: change) {
          fail(refusal, 1)
        } else if work.damage == nil {
          try work.ask(change)
          say("asked to \(change)")
        }
      } else {
        say(work.text())
      }
    } catch { fail("\(error)", 2) }
    let isAsked = invocation.shown != nil || invocation.change != nil
    guard invocation.engine.hasPrefix("folder:"), !isAsked else { return code }
    do {
      for line in try FolderEngine.waiting(in: String(invocation.engine.dropFirst(7))) { say(line) }
    } catch { fail("\(error)", 2) }
    return code
  }
}
