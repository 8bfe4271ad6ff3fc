import Foundation
import Millrace
import MillraceDescriptors

// The functions of the C library, which the methods of the same names below would hide.
private let (systemPipe, systemClose) = (pipe, close)

/// An open file descriptor. Its opener closes it; child processes do not inherit it.
struct Descriptor: Sendable {
  let number: Int32

  typealias Failure = DescriptorIO.Failure

  /// Makes a pipe. `ours` is the end that this process keeps; that end never blocks.
  static func pipe(ours: WritableKeyPath<(read: Descriptor, write: Descriptor), Descriptor>)
    throws(Failure) -> (read: Descriptor, write: Descriptor)
  {
    var ends: [Int32] = [-1, -1]
    guard opened(&ends) == 0 else { throw Failure(number: errno) }
    let result: (read: Descriptor, write: Descriptor)
    do throws(Failure) { result.read = try Descriptor(aboveStandard: ends[0]) } catch {
      Descriptor(number: ends[1]).close()
      throw error
    }
    do throws(Failure) { result.write = try Descriptor(aboveStandard: ends[1]) } catch {
      result.read.close()
      throw error
    }
    _ = fcntl(result[keyPath: ours].number, F_SETFL, O_NONBLOCK)
    return result
  }

  private static func opened(_ ends: inout [Int32]) -> Int32 {
    #if !canImport(Darwin)
    // Not by `fcntl` afterwards, since another thread may start a process in between.
    if let pipe2 = GNUFunctions.pipe2 { return pipe2(&ends, O_CLOEXEC) }
    #endif
    let status = systemPipe(&ends)
    if status == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
    return status
  }

  /// Opens a file for reading. If `blocking` is false, neither opening nor reading waits.
  static func reading(_ path: String, blocking: Bool = true) throws(Failure) -> Descriptor {
    let opened = open(path, O_RDONLY | O_CLOEXEC | (blocking ? 0 : O_NONBLOCK))
    guard opened >= 0 else { throw Failure(number: errno) }
    return try Descriptor(aboveStandard: opened)
  }

  init(number: Int32) { self.number = number }

  /// Takes over an open descriptor. If standard input, output or error is closed, the new descriptor may have its
  /// number, which a child process needs for its own streams.
  private init(aboveStandard opened: Int32) throws(Failure) {
    guard opened <= 2 else {
      number = opened
      return
    }
    number = fcntl(opened, F_DUPFD_CLOEXEC, 3)
    let failure = errno
    Descriptor(number: opened).close()
    guard number >= 0 else { throw Failure(number: failure) }
  }

  /// Whether the descriptor is a pipe, named or not.
  var isPipe: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Makes reads and writes wait from now on, including those of other processes that share it.
  func setBlocking() {
    let flags = fcntl(number, F_GETFL)
    if flags >= 0 { _ = fcntl(number, F_SETFL, flags & ~O_NONBLOCK) }
  }

  /// Reads the available bytes, up to the size of `buffer`. Returns their number; 0 at the end.
  func read(into buffer: inout [UInt8]) -> Result<Int, Failure> {
    buffer.withUnsafeMutableBytes { DescriptorIO.read(number, into: $0) }
  }

  /// Reads and drops everything that is there.
  func drain() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case .success(let count) = read(into: &buffer), count > 0 {}
  }

  /// Writes as many bytes as possible, and returns their number. Never raises `SIGPIPE`: a missing reader is `EPIPE`.
  func write(_ bytes: ArraySlice<UInt8>) -> Result<Int, Failure> {
    withoutBrokenPipeSignal { bytes.withUnsafeBytes { DescriptorIO.write($0, to: number) } }
  }

  func close() {
    _ = systemClose(number)
  }

  /// Calls `body`, which writes, without raising `SIGPIPE`.
  private func withoutBrokenPipeSignal(_ body: () -> Result<Int, Failure>) -> Result<Int, Failure> {
    #if canImport(Darwin)
    // Darwin sends the signal to the process, so blocking it in this thread would not help. The flag stays set, since
    // another thread may be writing.
    _ = fcntl(number, F_SETNOSIGPIPE, 1)
    return body()
    #else
    // Linux sends the signal to the writing thread, where it is blocked, and removed if the write has raised it.
    var (broken, former, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&broken)
    sigaddset(&broken, SIGPIPE)
    sigpending(&pending)
    guard sigismember(&pending, SIGPIPE) == 0 else { return body() }  // already pending, and stays so
    pthread_sigmask(SIG_BLOCK, &broken, &former)
    let result = body()
    if result == .failure(Failure(number: EPIPE)) {
      sigpending(&pending)
      var taken: Int32 = 0
      if sigismember(&pending, SIGPIPE) == 1 { sigwait(&broken, &taken) }
    }
    pthread_sigmask(SIG_SETMASK, &former, nil)
    return result
    #endif
  }
}

extension DescriptorIO.Failure {
  /// Whether the descriptor was not ready.
  var isForNow: Bool { number == EAGAIN || number == EWOULDBLOCK }

  /// Whether the process or the system has too many open descriptors.
  var isForWantOfNumbers: Bool { number == EMFILE || number == ENFILE }
}
