import Foundation
import MillraceStorage

/// A child process that the tests of storage start, limit and kill. Writes one line for each thing it did.
@main struct Probe {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { return say("usage: storageprobe COMMAND PATH [NUMBER]") }
    let number = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
    let storage = FileStorage<[Int]>(at: arguments[2])
    switch arguments[1] {
    case "save": await save(storage)
    case "append": await append(JournalStorage(at: arguments[2]))
    case "hold": await hold(storage)
    case "work": await Workshop.run(ledgerPath: arguments[2], life: number, restored: arguments.dropFirst(4))
    case "fault": await Faults.run(arguments.count > 3 ? arguments[3] : "", at: arguments[2])
    case "offline": await OfflineList.run(at: arguments[2], isLast: number == 1)
    case "hand-over": await Handover.run(at: arguments[2])
    case "operate": await Operated.run(at: arguments[2])
    case "use": await use(storage, size: number)
    case "use-unprivileged":
      dropPrivileges()
      await use(storage, size: number)
    case "use-limited":
      limitFiles(toBytes: 4096)
      await use(storage, size: number)
    default: say("unknown command")
    }
  }

  /// The value of a generation, by which a test can tell a wrong value.
  static func value(_ generation: UInt64) -> [Int] {
    Array(repeating: Int(generation), count: 1 + Int(generation % 50))
  }

  /// Saves as fast as it can, and tells each generation once its save has returned.
  private static func save(_ storage: FileStorage<[Int]>) async {
    do throws(StorageFailure) {
      var generation = try await storage.load().generation
      while true {
        generation += 1
        try await storage.save(value(generation), generation: generation)
        say("\(generation)")
      }
    } catch {
      say("\(error)")
    }
  }

  /// The changes of an append with a number, by which a test can tell a wrong one.
  static func changes(_ number: Int) -> [Int: JournalChange<Int>] {
    [-1000: .set(number), number: .set(number), number - 20: .removed]
  }

  /// Appends as fast as it can, and tells each number once its append has returned.
  private static func append(_ storage: JournalStorage<Int, Int>) async {
    do throws(StorageFailure) {
      var number = try await storage.load().entries[-1000] ?? 0
      while true {
        number += 1
        try await storage.append(changes(number))
        say("\(number)")
      }
    } catch {
      say("\(error)")
    }
  }

  /// Has the file until its input ends.
  private static func hold(_ storage: FileStorage<[Int]>) async {
    do throws(StorageFailure) { _ = try await storage.load() } catch { return say("\(error)") }
    say("held")
    await inputEnded()
  }

  /// Loads, then saves a value of so many numbers, and tells what came of each.
  private static func use(_ storage: FileStorage<[Int]>, size: Int) async {
    do throws(StorageFailure) {
      say("loaded \(try await storage.load().generation)")
    } catch {
      say("\(error)")
    }
    do throws(StorageFailure) {
      try await storage.save(Array(repeating: 7, count: size), generation: 9)
      say("saved")
    } catch {
      say("\(error)")
    }
  }
}
