#if !canImport(Darwin)
import Foundation
import TestSupport

/// A server of WebSockets that nobody here wrote: Python's package `websockets`.
///
/// It ends with this object or with this process, whatever comes first: its input ends then.
package final class PythonSocketServer: @unchecked Sendable {  // all `let`; one test at a time uses it
  /// Whether there is a Python with the package.
  package static let isThere: Bool = {
    guard let process = try? start(["-c", "import websockets.asyncio.server"], Pipe.uninherited(), nil) else {
      return false
    }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// What the system says when the server does not begin.
  package struct Failure: Error {}

  package let port: UInt16
  private let process: Process
  private let input = Pipe.uninherited()

  /// Begins to listen. `folder` keeps the file of the numbers that were taken. Blocks until the server listens.
  package init(in folder: TemporaryFolder, port wanted: UInt16 = 0) throws {
    try folder.write(Data(Self.program.utf8), to: "server.py")
    let output = Pipe.uninherited()
    process = try Self.start(
      [folder.file("server.py"), "\(wanted)", folder.file("taken")], input, output.fileHandleForWriting)
    try output.fileHandleForWriting.close()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty,
      byte != Data("\n".utf8)
    {
      line += byte
    }
    guard let port = UInt16(String(decoding: line, as: UTF8.self)) else { throw Failure() }
    self.port = port
  }

  deinit { end() }

  /// Kills the server. Blocks until it has ended.
  package func end() {
    guard process.isRunning else { return }  // its number may be another process's
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  package func url(_ path: String) -> String { "ws://127.0.0.1:\(port)/\(path)" }

  // It must not have the standard error of the tests, which do not end while a child has it.
  private static func start(_ arguments: [String], _ input: Pipe, _ output: FileHandle?) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    process.standardInput = input
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// `/echo` sends every message back in random fragments. `/take` takes numbered messages in order, each once, keeps
  /// their numbers in a file and acknowledges them. `/ping` waits for the answer to a ping and tells of it. `/close`
  /// closes with 4001.
  private static let program = """
    import asyncio, os, random, sys, threading
    from websockets.asyncio.server import serve

    path = sys.argv[2]
    taken = [int(line) for line in open(path)] if os.path.exists(path) else []
    file = open(path, "a")
    dice = random.Random(6455)

    def parts(message):
        places = sorted(dice.randint(0, len(message)) for _ in range(dice.randint(0, 4)))
        return [message[a:b] for a, b in zip([0] + places, places + [len(message)])]

    async def handle(socket):
        path = socket.request.path
        if path == "/ping":
            await (await socket.ping(b"there?"))
            await socket.send("pong")
        elif path == "/close":
            return await socket.close(4001, "enough")
        async for message in socket:
            if path == "/echo":
                await socket.send(parts(message))
            elif path == "/take":
                number = int(message.split(":")[0])
                if number == len(taken) + 1:
                    taken.append(number)
                    file.write(f"{number}\\n")
                    file.flush()
                await socket.send(str(number))

    def choose(socket, offered):
        return "orders" if "orders" in offered else None

    async def main():
        async with serve(handle, "127.0.0.1", int(sys.argv[1]), max_size=None, select_subprotocol=choose) as server:
            print(server.sockets[0].getsockname()[1], flush=True)
            await asyncio.get_running_loop().create_future()

    def watch():
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    asyncio.run(main())
    """
}
#endif
