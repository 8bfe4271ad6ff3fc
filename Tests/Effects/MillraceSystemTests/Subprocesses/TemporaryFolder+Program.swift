import Foundation
import MillraceSystem
import TestSupport

extension TemporaryFolder {
  /// Writes a program that can be started at once.
  ///
  /// By a process of its own: what this one has open for writing, a process that another test is starting has open for a
  /// moment, too, and the system starts no program that somebody may write to.
  func writeProgram(_ text: String, to name: String, mode: String = "755") async throws {
    try write(Data(text.utf8), to: "\(name).text")
    let copying = #"cat "$1" > "$2" && chmod "$3" "$2" && rm "$1""#
    try await ProcessRun().run(
      SubprocessRequest(1, "/bin/sh", ["-c", copying, "sh", file("\(name).text"), file(name), mode]))
  }
}
