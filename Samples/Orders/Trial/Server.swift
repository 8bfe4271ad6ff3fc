import Foundation

/// The server of an engine, on a free port of this machine, with its files in a folder of the trial.
enum Server {
  case redis(port: Int, folder: String)
  case postgres(port: Int, folder: String)

  /// The engine's address for the other processes.
  var address: String {
    switch self {
    case .redis(let port, _): "redis:\(port)"
    case .postgres(let port, _): "postgres:host=127.0.0.1 port=\(port) user=postgres dbname=postgres"
    }
  }

  /// Whether the server accepts a connection.
  func accepts() -> Bool {
    switch self {
    case .redis(let port, _), .postgres(let port, _): (try? RespLink(port: UInt16(port))) != nil
    }
  }

  /// Prepares the server's files.
  func prepare() throws {
    switch self {
    case .redis(_, let folder):
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    case .postgres(_, let folder):
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      if geteuid() == 0 { try Self.perform("/bin/chown", ["postgres", folder]) }
      let (program, arguments) = try Self.asPostgres(
        "initdb", ["-A", "trust", "-U", "postgres", "-D", folder])
      try Self.perform(program, arguments)
    }
  }

  func start() throws -> Child {
    switch self {
    case .redis(let port, let folder):
      guard let program = Self.find("redis-server", in: ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"])
      else {
        throw EngineFailure(description: "there is no redis-server on this machine")
      }
      return try Child(
        "redis", program,
        [
          "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes", "--appendfsync",
          "always", "--save", "",
        ]
      ) { _ in }
    case .postgres(let port, let folder):
      // The lock file of a killed server names a process that no longer exists.
      let (program, arguments) = try Self.asPostgres(
        "postgres",
        ["-D", folder, "-p", "\(port)", "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="])
      return try Child("postgres", program, arguments) { _ in }
    }
  }

  /// PostgreSQL refuses to be run by root.
  private static func asPostgres(_ name: String, _ arguments: [String]) throws -> (String, [String]) {
    let folders =
      (13...18).reversed().map { "/usr/lib/postgresql/\($0)/bin" } + ["/usr/bin", "/opt/homebrew/bin"]
    guard let program = find(name, in: folders) else {
      throw EngineFailure(description: "there is no \(name) on this machine")
    }
    guard geteuid() == 0 else { return (program, arguments) }
    return (
      "/usr/bin/setpriv",
      ["--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=KILL", program] + arguments
    )
  }

  private static func find(_ name: String, in folders: [String]) -> String? {
    folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static func perform(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw EngineFailure(description: "\(program) has failed") }
  }
}
