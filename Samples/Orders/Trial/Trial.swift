import Foundation

/// Starts a shop, workers and a warehouse as separate processes, kills some of them at random moments and restarts
/// them. Reports the bookings of the warehouse in the end.
struct Trial {
  private let invocation: Invocation
  private let folder: String
  private let server: Server?
  private let address: String

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    folder = FileManager.default.temporaryDirectory.path + "/orders-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // The PostgreSQL server runs as another user.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    let port = Int.random(in: 20_000..<32_000)
    switch invocation.engine {
    case "folder": (server, address) = (nil, "folder:\(folder)/engine")
    case "redis":
      let server = Server.redis(port: port, folder: folder + "/redis")
      (self.server, address) = (server, server.address)
    case "postgres":
      let server = Server.postgres(port: port, folder: folder + "/postgres")
      (self.server, address) = (server, server.address)
    default: (server, address) = (nil, invocation.engine)
    }
  }

  /// Returns whether every order was booked once, and in the order of its customer.
  func run() async throws -> Bool {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (lines, heard) = AsyncStream.makeStream(of: String.self)
    try server?.prepare()
    var children: [Child] = []
    defer { for child in children.reversed() { child.kill() } }
    if let server { children.append(try server.start()) }
    if invocation.command == .bare {
      let engine = try await Program.engine(address)
      let rate = try await BareLoop(engine: engine, orders: invocation.orders, workers: invocation.workers)
        .run()
      say("\(invocation.engine), bare, \(invocation.workers) workers: \(Int(rate)) orders/s")
      return true
    }
    for name in ["warehouse", "shop"] + (1...max(1, invocation.workers)).map({ "worker \($0)" }) {
      children.append(try start(name, heard))
    }
    let start = ContinuousClock.now
    let ending = Ending()
    let listening = Task {
      for await line in lines {
        if line.hasPrefix("booked") { return await ending.came(line) }
        say(line)
      }
    }
    var kills = 0
    while kills < invocation.kills, await ending.line == nil {
      try await Task.sleep(for: .milliseconds(Int.random(in: 10...200)))
      let index = Int.random(in: 0..<children.count)
      children[index].kill()
      if let server, index == 0 {
        children[index] = try await restart(server)
      } else {
        children[index] = try self.start(children[index].name, heard)
      }
      kills += 1
      if kills % 50 == 0 { say("\(kills) kills") }
    }
    // Counted from the last kill, since the time of the kills depends on the machine. A killed PostgreSQL may have
    // accepted the connection of `restart` while ending, and prevented its successor from starting.
    let patience = ContinuousClock.now + .seconds(1100)
    while await ending.line == nil, .now < patience {
      try await Task.sleep(for: .milliseconds(200))
      if let server, !children[0].isRunning { children[0] = try await restart(server) }
    }
    heard.finish()
    await listening.value
    let time = start.duration(to: .now).seconds
    for child in children.dropFirst(server == nil ? 0 : 1) { child.end() }
    let last = await ending.line ?? "not all booked in time"
    say(
      "\(invocation.engine), \(invocation.workers) workers: \(last), \(kills) kills, "
        + "\(Int(Double(invocation.orders) / time)) orders/s")
    if kills < invocation.kills { say("all was booked before the last kill: take more orders") }
    return last.hasPrefix("booked \(invocation.orders) ") && last.hasSuffix("violations 0")
      && kills == invocation.kills
  }

  /// Starts the server again. PostgreSQL exits at once if a part of its killed server still runs, so a server counts as
  /// started when it accepts a connection.
  private func restart(_ server: Server) async throws -> Child {
    for _ in 0..<100 {
      let child = try server.start()
      while child.isRunning {
        if server.accepts() { return child }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    throw EngineFailure(description: "the server does not start again")
  }

  private func start(_ name: String, _ heard: AsyncStream<String>.Continuation) throws -> Child {
    let command = String(name.prefix { $0 != " " })
    let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    return try Child(
      name, program,
      [
        command, "--engine", address, "--home", folder, "--name", name, "--orders", "\(invocation.orders)",
        "--at-once", "\(invocation.atOnce)",
      ]
    ) { heard.yield($0) }
  }
}

/// The last word of the warehouse.
private actor Ending {
  private(set) var line: String?
  func came(_ line: String) { self.line = line }
}
