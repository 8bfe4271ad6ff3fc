import Foundation
import MillraceStorage

/// Shows the contents of the files that a program keeps, and asks the program for changes.
struct Work {
  private let paths: [String]
  private let isJSON: Bool
  private let shown: String?
  private let change: WorkCommand.Change?

  init(paths: [String], options: [String: String], isJSON: Bool) throws {
    guard !paths.isEmpty else { throw CommandFailure(message: "work needs a file\n\n\(Millrace.usage)") }
    (self.paths, self.isJSON, shown) = (paths, isJSON, options["--show"])
    change =
      options["--retry"].map { .retry($0) } ?? options["--dismiss"].map { .dismiss($0) }
      ?? options["--pause"].map { .pause(lane: $0) } ?? options["--resume"].map { .resume(lane: $0) }
    guard options.isEmpty || options.count == 1 && (shown != nil || change != nil) else {
      throw CommandFailure(message: "work does one of show, retry, dismiss, pause and resume at a time")
    }
  }

  /// Reads all files, even if one of them cannot be read.
  ///
  /// - Returns: the exit code.
  func run() throws -> Int32 {
    var code: Int32 = 0
    func fail(_ path: String, _ problem: String, _ exitCode: Int32) {
      Terminal.warn(problem.hasSuffix(path) ? problem : "\(path): \(problem)")
      code = max(code, exitCode)
    }
    var files: [KeptWork] = []
    for path in paths {
      do throws(StorageFailure) {
        files.append(try KeptWork(contentsOf: path))
        if let damage = files.last?.damage { fail(path, damage, 3) }
      } catch { fail(path, "\(error)", 2) }
    }
    if let shown {
      let entries = files.compactMap { $0.entry(shown) }
      try show(entries) { $0.text() }
      for file in files where entries.isEmpty { fail(file.path, "there is no entry \(shown)", 1) }
    } else if let change {
      // Every file with the entry or the lane is asked. One such file suffices.
      let intact = files.filter { $0.damage == nil }
      let meant = intact.filter { $0.refusal(of: change) == nil }
      var asked: [String] = []
      for file in meant {
        do throws(StorageFailure) {
          try file.ask(change)
          asked.append(file.path)
        } catch { fail(file.path, "\(error)", 2) }
      }
      try show(asked) { "\($0): asked to \(change)" }
      for file in intact where meant.isEmpty { fail(file.path, file.refusal(of: change) ?? "", 1) }
    } else {
      try show(files) { $0.text() }
    }
    return code
  }

  private func show<Answer: Encodable>(_ answers: [Answer], _ text: (Answer) -> String) throws {
    if !isJSON {
      for answer in answers { print(text(answer)) }
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    print(String(decoding: try encoder.encode(answers), as: UTF8.self))
  }
}
