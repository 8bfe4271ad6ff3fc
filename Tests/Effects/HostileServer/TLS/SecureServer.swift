#if !canImport(Darwin)
import Foundation
import TestSupport

/// A server that speaks TLS, with a certificate of its own: the system's `openssl`, or for HTTP/2 its `nghttpd`.
package final class SecureServer: @unchecked Sendable {  // used by one test, and never changed
  /// What is wrong with a certificate, if anything is.
  package enum Certificate: String, CaseIterable, Sendable {
    case good
    case expired
    case ofAnotherHost
  }

  /// What the system says when a tool is not as it should be.
  package struct ToolFailure: Error {
    package let output: String
  }

  package static let hasOpenSSL = path(of: "openssl") != nil
  package static let hasHTTP2 = hasOpenSSL && path(of: "nghttpd") != nil

  package let port: UInt16
  /// The certificate, which is its own authority.
  package let authority: String
  private let folder: TemporaryFolder
  private let process: Process

  /// Makes a certificate, and serves with it.
  package init(_ certificate: Certificate, speaksHTTP2: Bool = false) throws {
    folder = try TemporaryFolder()
    try Self.make(certificate, in: folder)
    authority = folder.file("certificate")
    try folder.write(Data("hello".utf8), to: "page")
    var arguments = ["s_server", "-accept", "127.0.0.1:0", "-WWW", "-cert", "certificate", "-key", "key"]
    if speaksHTTP2 { arguments = ["-v", "-a", "127.0.0.1", "0", "key", "certificate"] }
    (process, port) = try Self.start(
      speaksHTTP2 ? "nghttpd" : "openssl", arguments, in: folder, listening: speaksHTTP2)
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  package var url: String { "https://127.0.0.1:\(port)/page" }

  /// What the server has written so far.
  package var log: String { (try? folder.read("log")).map { String(decoding: $0, as: UTF8.self) } ?? "" }

  static func make(_ certificate: Certificate, in folder: TemporaryFolder) throws {
    let name = certificate == .ofAnotherHost ? "DNS:other.example" : "IP:127.0.0.1,IP:127.0.0.2"
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key"
    let request = "openssl req \(key) -subj /CN=test -addext subjectAltName=\(name)"
    // Only `openssl ca` can make what has expired already.
    try folder.write(
      Data(
        """
        [ca]
        default_ca = test
        [test]
        database = index
        serial = serial
        new_certs_dir = .
        policy = names
        default_md = sha256
        copy_extensions = copy
        [names]
        commonName = supplied
        """.utf8), to: "configuration")
    let expired = """
      \(request) -new -out request && : > index && echo 01 > serial && openssl ca -config configuration -batch \
      -selfsign -keyfile key -in request -out certificate -notext -startdate 20200101000000Z -enddate 20200102000000Z
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", certificate == .expired ? expired : "\(request) -x509 -days 2 -out certificate",
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let output = Pipe.uninherited()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ToolFailure(output: text) }
  }

  /// Starts a server, and returns when it says on which port it listens.
  private static func start(
    _ tool: String, _ arguments: [String], in folder: TemporaryFolder, listening isSilent: Bool
  ) throws -> (Process, UInt16) {
    guard let executable = path(of: tool) else { throw ToolFailure(output: "no \(tool)") }
    try folder.write(Data(), to: "log")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.standardInput = FileHandle.nullDevice
    let log = FileHandle(forWritingAtPath: folder.file("log"))
    (process.standardOutput, process.standardError) = (log, log)
    try process.run()
    while process.isRunning {
      if let port = isSilent ? listeningPort(of: process.processIdentifier) : announcedPort(in: folder) {
        return (process, port)
      }
      sched_yield()
    }
    let text = (try? folder.read("log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    throw ToolFailure(output: text)
  }

  private static func announcedPort(in folder: TemporaryFolder) -> UInt16? {
    let text = (try? folder.read("log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.firstMatch(of: /ACCEPT .*:(\d+)\n/).flatMap { UInt16($0.1) }
  }

  /// The port on which a process listens that does not say so itself.
  private static func listeningPort(of process: Int32) -> UInt16? {
    let folder = "/proc/\(process)/fd"
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let sockets = Set(
      descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    )
    let table = systemFile("/proc/\(process)/net/tcp")
    for line in table.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[3] == "0A", sockets.contains("socket:[\(fields[9])]") else { continue }
      return fields[1].split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
    }
    return nil
  }

  private static func path(of tool: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(tool)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
#endif
