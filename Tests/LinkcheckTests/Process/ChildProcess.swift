import Foundation

/// The built `linkcheck`, run as a child process.
///
/// | field | guarded by | ends |
/// |---|---|---|
/// | `process` | set up before it runs, then only read | with the child |
/// | the streams | each iterated by one test | with the child's ends of its pipes |
final class ChildProcess: @unchecked Sendable {  // see the table
  struct Result {
    var status: Int32
    /// Whether a signal ended it, whose number `status` is then.
    var wasKilled: Bool
    var output: String
    var errors: [String]
  }

  private let process = Process()
  private let output: AsyncStream<String>
  private var errors: AsyncStream<String>.Iterator
  private let exit: AsyncStream<Void>
  private var seenErrors: [String] = []

  /// Starts it. `output` takes the place of the pipe for its standard output.
  init(_ arguments: [String], output given: FileHandle? = nil) throws {
    process.executableURL = Self.executable
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    // A proxy of whoever runs the tests does not know servers on this machine.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["no_proxy": "127.0.0.1,localhost", "NO_PROXY": "127.0.0.1,localhost"]) { $1 }
    let (outputPipe, errorPipe) = (Pipe(), Pipe())
    process.standardOutput = given ?? outputPipe
    process.standardError = errorPipe
    let (exit, exited) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in exited.finish() }
    self.exit = exit
    try process.run()
    output = given == nil ? Self.lines(of: outputPipe) : AsyncStream { $0.finish() }
    errors = Self.lines(of: errorPipe).makeAsyncIterator()
  }

  deinit {
    if process.isRunning { send(SIGKILL) }
  }

  /// Waits for a line on standard error.
  func errorLine(where condition: (String) -> Bool) async -> String? {
    while let line = await errors.next() {
      seenErrors.append(line)
      if condition(line) { return line }
    }
    return nil
  }

  /// Waits for the first line on standard output.
  func firstOutputLine() async -> String? {
    var lines = output.makeAsyncIterator()
    return await lines.next()
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits until it has ended and all it wrote is read.
  func result() async -> Result {
    _ = await errorLine { _ in false }
    var text = ""
    for await line in output { text += line + "\n" }
    for await _ in exit {}
    return Result(
      status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
      output: text,
      errors: seenErrors)
  }

  /// The executable lies beside the test bundle.
  private static let executable: URL = {
    var bundle = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    #if canImport(Darwin)
    bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? bundle
    #endif
    return bundle.deletingLastPathComponent().appendingPathComponent("linkcheck")
  }()

  /// The lines that come out of a pipe, read on a thread of its own.
  private static func lines(of pipe: Pipe) -> AsyncStream<String> {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let handle = pipe.fileHandleForReading
    Thread {
      var rest: [UInt8] = []
      while case let data = handle.availableData, !data.isEmpty {
        rest += data
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest.removeSubrange(...end)
        }
      }
      if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
      continuation.finish()
    }.start()
    return lines
  }
}

extension ChildProcess {
  convenience init(_ arguments: String...) throws { try self.init(arguments) }

  /// Runs it to its end.
  static func run(_ arguments: String...) async throws -> Result {
    try await ChildProcess(arguments).result()
  }
}

/// A folder that is taken away with the last reference to it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "linkcheck-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let folder = (file(name) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}
