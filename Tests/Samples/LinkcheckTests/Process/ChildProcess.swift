import Foundation
import Millrace
import MillraceEffects
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

/// The built `linkcheck`, run as a child process, with every signal as by default whatever the tests were started with.
///
/// | field | guarded by | ends |
/// |---|---|---|
/// | the events, what was seen of them | used by one test | with the child |
/// | the process's number | the recorder | never |
final class ChildProcess: @unchecked Sendable {  // guarded as in the table
  struct Result {
    var status: Int32
    /// Whether a signal ended it, whose number `status` is then.
    var wasKilled: Bool
    var output: String
    var errors: [String]
  }

  private let run: Task<Void, Never>
  private let started: Recorder<Int32>
  private var events: AsyncStream<SubprocessEvent<Int>>.Iterator
  private var seenOutput: [String] = []
  private var seenErrors: [String] = []
  private var isInReport = false
  private var termination: SubprocessTermination?

  /// Starts it. A script of the shell may start it instead, as `"$0" "$@"`.
  ///
  /// - Parameter authorities: a file of certificate authorities in place of the system's.
  init(_ arguments: [String], through script: String? = nil, trusting authorities: String? = nil) {
    var request = SubprocessRequest(0, Self.executable.path, arguments)
    if let script {
      request = SubprocessRequest(0, "/bin/sh", ["-c", script, Self.executable.path] + arguments)
    }
    // A proxy of whoever runs the tests does not know servers on this machine.
    let noProxy = "127.0.0.1,localhost"
    var changes: [String: String?] = ["no_proxy": noProxy, "NO_PROXY": noProxy]
    if let authorities { changes["SSL_CERT_FILE"] = authorities }
    request.environment = .inheriting(changing: changes)
    request.gracePeriod = .zero
    let (events, continuation) = AsyncStream.makeStream(of: SubprocessEvent<Int>.self)
    self.events = events.makeAsyncIterator()
    let started = Recorder<Int32>()
    self.started = started
    run = Task { [request] in
      let effect = SubprocessEffect<Int>()
      let send = Send<SubprocessEvent<Int>> { event in
        if case .started(_, let id) = event { started.append(id) }
        continuation.yield(event)
        return .reduced
      }
      do throws(SubprocessFailure) { try await effect.run(request, send: send) } catch {
        continuation.yield(effect.action(for: error, of: request))
      }
      continuation.finish()
    }
  }

  deinit { run.cancel() }

  /// Waits for a line on standard error.
  func errorLine(where condition: (String) -> Bool) async -> String? {
    while let line = await nextLine() {
      if line.stream == .error, condition(line.text) { return line.text }
    }
    return nil
  }

  /// Waits for the first line on standard output.
  func firstOutputLine() async -> String? {
    while seenOutput.isEmpty, await nextLine() != nil {}
    return seenOutput.first
  }

  func send(_ signal: Int32) async throws { kill(try await started.values(atLeast: 1)[0], signal) }

  #if os(Linux)
  /// Stops it, and waits until it has stopped.
  func stop() async throws {
    try await send(SIGSTOP)
    let process = try await started.values(atLeast: 1)[0]
    try await eventually {
      try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).contains(") T ")
    }
  }
  #endif

  /// Waits until it has ended and all it wrote is read.
  func result() async -> Result {
    while await nextLine() != nil {}
    var result = Result(
      status: -1, wasKilled: false, output: seenOutput.map { $0 + "\n" }.joined(), errors: seenErrors)
    switch termination {
    case .exited(let status): result.status = status
    case .killed(let signal): (result.status, result.wasKilled) = (signal, true)
    case nil: break
    }
    return result
  }

  private func nextLine() async -> SubprocessLine? {
    while let event = await events.next() {
      switch event {
      case .started: break
      case .wrote(_, let line):
        if line.stream == .output {
          seenOutput.append(line.text)
          return line
        }
        // Debug builds report a wait of a second, as on a busy machine, in lines without the program's name.
        isInReport =
          line.text.hasSuffix(" has waited for a second, for")
          || isInReport && !line.text.hasPrefix("linkcheck: ")
        if !isInReport { seenErrors.append(line.text) }
        return line
      case .ended(_, let termination): self.termination = termination
      case .failed(_, let failure): seenErrors.append("not run: \(failure)")
      }
    }
    return nil
  }

  /// The executable lies beside the test bundle.
  private static let executable: URL = {
    var bundle = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    #if canImport(Darwin)
    bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? bundle
    #endif
    return bundle.deletingLastPathComponent().appendingPathComponent("linkcheck")
  }()
}

extension ChildProcess {
  convenience init(_ arguments: String...) { self.init(arguments) }

  /// Runs it to its end.
  static func run(_ arguments: String...) async -> Result {
    await ChildProcess(arguments).result()
  }
}

extension TemporaryFolder {
  /// Writes a text, in folders that it makes, and returns the path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let folder = (file(name) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(Data(text.utf8), to: name)
    return file(name)
  }
}

/// What of a report in JSON is compared.
struct WrittenReport: Decodable {
  struct Problem: Decodable {
    var page: String
    var link: String
  }
  var broken: [Problem]
  var unchecked: [Problem]
  var skipped: Int
}

extension WrittenReport {
  init(_ json: String) throws { self = try JSONDecoder().decode(WrittenReport.self, from: Data(json.utf8)) }
}
