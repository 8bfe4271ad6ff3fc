#if !canImport(Darwin)
import Foundation
import Millrace
import TestSupport

/// Gives servers on the loopback interface a port each at which they speak TLS and offer HTTP/2: a program in Python,
/// one for all tests, which ends when this process does.
package final class TLSRelay: Sendable {
  package static let shared: TLSRelay? = {
    guard SecureServer.hasOpenSSL else { return nil }
    return try? TLSRelay()
  }()

  /// The certificate, which is its own authority.
  package let authority: String
  private let folder: TemporaryFolder
  private let pipes: Lock<(to: FileHandle, from: FileHandle)>
  private let process: Process

  private init() throws {
    folder = try TemporaryFolder()
    try SecureServer.make(.good, in: folder)
    authority = folder.file("certificate")
    try folder.write(Data(Self.program.utf8), to: "relay.py")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "relay.py"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let (input, output) = (Pipe.uninherited(), Pipe.uninherited())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    self.process = process
    pipes = Lock((input.fileHandleForWriting, output.fileHandleForReading))
    guard port(for: 1) != nil else { throw SecureServer.ToolFailure(output: "no python3") }
  }

  /// A port at which the server at another port speaks TLS.
  package func port(for server: UInt16) -> UInt16? {
    pipes.withLock { pipes in
      try? pipes.to.write(contentsOf: Data("\(server)\n".utf8))
      var line = Data()
      while let byte = try? pipes.from.read(upToCount: 1), !byte.isEmpty, byte[byte.startIndex] != 10 {
        line += byte
      }
      return UInt16(String(decoding: line, as: UTF8.self))
    }
  }

  /// Reads a port in each line, and prints the one that leads to it. Resets are passed on as such.
  private static let program = """
    import select, socket, ssl, struct, sys, threading

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("certificate", "key")
    context.set_alpn_protocols(["h2"])
    again = (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError)

    def pump(client, server):
        client.setblocking(False)
        server.setblocking(False)
        waiting = {client: b"", server: b""}
        ended = False
        while not ended or waiting[client]:
            reading = [] if ended else [s for s in (client, server) if len(waiting[server if s is client else client]) < 1 << 18]
            ready, writable, _ = select.select(reading, [s for s in waiting if waiting[s]], [], 0 if client.pending() else None)
            for source in reading:
                if source not in ready and not (source is client and client.pending()):
                    continue
                target = server if source is client else client
                try:
                    part = source.recv(65536)
                except again:
                    continue
                if not part:
                    if source is client:
                        return
                    ended = True
                waiting[target] += part
            for target in waiting:
                if waiting[target]:
                    try:
                        waiting[target] = waiting[target][target.send(waiting[target]):]
                    except again:
                        pass

    def serve(raw, port):
        server = None
        try:
            client = context.wrap_socket(raw, server_side=True)
            server = socket.create_connection(("127.0.0.1", port))
            pump(client, server)
        except ConnectionError:
            try:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            except (NameError, OSError, UnboundLocalError):
                pass
        except (OSError, ValueError):
            pass
        for end in (locals().get("client", raw), server):
            if end:
                end.close()

    def accept(listener, port):
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0], port), daemon=True).start()

    for line in sys.stdin:
        listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=accept, args=(listener, int(line)), daemon=True).start()
        print(listener.getsockname()[1], flush=True)
    """
}
#endif
