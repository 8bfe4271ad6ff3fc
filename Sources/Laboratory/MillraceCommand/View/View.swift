import Foundation
import MillraceTrace

/// Writes the page of a recording, and opens it.
enum View {
  /// Writes the page to `output`. If `output` is `nil`, writes it to a temporary file and opens that in the browser.
  ///
  /// - Parameters:
  ///   - states: the actions whose states are shown; `nil` for all that have room.
  ///   - name: the path of the recording.
  static func write(
    _ history: TraceHistory, states: ClosedRange<UInt64>?, to output: String?, name: String
  ) throws {
    let page = Page(history, states: states)
    let path = output ?? temporaryPath(for: name)
    try FileSink.replace(path, with: page.bytes)
    if let leftOut = page.leftOut { Terminal.warn(leftOut) }
    if output == nil, !open(path) { Terminal.warn("no program opens the page") }
    print(path)
  }

  /// Serves the page of a growing recording until the command is ended.
  static func follow(_ path: String) throws -> Never {
    if GrowingRecording.isRing(path) { throw CommandFailure(message: GrowingRecording.ringsEnd(path)) }
    let file = FollowedFile(path: path)
    let server = try FollowServer(file: file)
    Thread.detachNewThread { file.read() }
    var looks = 0
    while file.beginning == nil {
      looks += 1
      if looks == 10 { Terminal.warn("waiting for \(path)") }  // an existing file has been read by now
      Thread.sleep(forTimeInterval: 0.05)
    }
    print(server.address)
    fflush(nil)
    // Every user can read the arguments of a program. So the address with its token is passed in a file.
    let redirection = temporaryPath(for: "live")
    let page = "<meta http-equiv=\"refresh\" content=\"0; url=\(server.address)\">\n"
    try FileSink.replace(redirection, with: Array(page.utf8))
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 60)
      unlink(redirection)
    }
    if !open(redirection) { Terminal.warn("no program opens the page: open the address in a browser") }
    server.serve()
  }

  static func states(of word: String) throws -> ClosedRange<UInt64> {
    let bounds = word.split(separator: "-").compactMap { UInt64($0) }
    guard bounds.count == 2, bounds[0] <= bounds[1] else {
      throw CommandFailure(message: "'\(word)' is no range of actions, such as 100-250")
    }
    return bounds[0]...bounds[1]
  }

  private static func temporaryPath(for name: String) -> String {
    let last = name.split(separator: "/").last.map(String.init) ?? "trace"
    let number = String(UInt32.random(in: .min ... .max), radix: 16)
    return FileManager.default.temporaryDirectory.appendingPathComponent("millrace-\(last)-\(number).html")
      .path
  }

  /// - Returns: whether a program that opens it was found.
  static func open(_ address: String) -> Bool {
    #if os(macOS)
    let names = ["open"]
    #else
    let names = ["xdg-open", "sensible-browser"]
    #endif
    let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
    let programs = names.flatMap { name in folders.map { "\($0)/\(name)" } }
    return programs.filter(FileManager.default.isExecutableFile).contains { program in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = [address]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      return (try? process.run()) != nil
    }
  }
}
