import Dispatch
import Foundation
import Millrace
import MillraceDescriptors

/// The write end of the pipe into which the handler writes. A handler may take no lock, so this is set once, before the
/// first handler is installed.
nonisolated(unsafe) private var pipeWriteEnd: Int32 = -1  // see above

/// The listeners to each signal in this process.
///
/// A Dispatch signal source is not used: on Linux it leaves the signal blocked in the threads that received it, so that
/// the former disposition cannot be restored. A handler that writes into a pipe can be removed without a trace, and
/// child processes do not inherit it. The disposition of a signal belongs to the whole process, and so does this table.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `signals`: the listeners of each, and its former disposition | the lock | with the last listener of a signal |
/// | `nextListener` | the lock | never |
/// | `source`, which reads the pipe | the lock | never: a handler may be about to write |
final class SignalListeners: Sendable {
  static let process = SignalListeners()

  private struct Table {
    var source: (any DispatchSourceRead)?
    var signals: [ProcessSignal: Entry] = [:]
    var nextListener = 0
  }

  private struct Entry {
    var former: sigaction
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let table = Lock(Table())
  private let queue = DispatchQueue(label: "millrace.signals")

  /// A value for each arrival of the signal; values not taken yet are merged into one. Listening ends with the task
  /// that iterates.
  func arrivals(of signal: ProcessSignal) throws(SignalFailure) -> AsyncStream<Void> {
    let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let listener = try table.withLock { table throws(SignalFailure) in
      try openPipe(&table)
      if table.signals[signal] == nil { table.signals[signal] = Entry(former: try install(signal)) }
      table.nextListener += 1
      table.signals[signal]?.listeners[table.nextListener] = continuation
      return table.nextListener
    }
    continuation.onTermination = { _ in self.remove(listener, from: signal) }
    return arrivals
  }

  private func remove(_ listener: Int, from signal: ProcessSignal) {
    table.withLock { table in
      table.signals[signal]?.listeners[listener] = nil
      guard var entry = table.signals[signal], entry.listeners.isEmpty else { return }
      sigaction(signal.number, &entry.former, nil)
      table.signals[signal] = nil
    }
  }

  private func install(_ signal: ProcessSignal) throws(SignalFailure) -> sigaction {
    var (action, former) = (sigaction(), sigaction())
    let handler: @convention(c) (Int32) -> Void = { number in
      let saved = errno
      var byte = UInt8(truncatingIfNeeded: number)
      // A full pipe already contains the signal.
      withUnsafeBytes(of: &byte) { _ = DescriptorIO.write($0, to: pipeWriteEnd) }
      errno = saved
    }
    action.handler = handler
    action.sa_flags = SA_RESTART
    guard sigaction(signal.number, &action, &former) == 0 else { throw SignalFailure(errorNumber: errno) }
    return former
  }

  private func openPipe(_ table: inout Table) throws(SignalFailure) {
    guard table.source == nil else { return }
    let pipe: (read: Descriptor, write: Descriptor)
    do throws(Descriptor.Failure) { pipe = try Descriptor.pipe(ours: \.read) } catch {
      throw SignalFailure(errorNumber: error.number)
    }
    _ = fcntl(pipe.write.number, F_SETFL, O_NONBLOCK)
    pipeWriteEnd = pipe.write.number
    let readEnd = pipe.read.number
    let source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: queue)
    source.setEventHandler { [self] in drain(readEnd) }
    source.activate()
    table.source = source
  }

  private func drain(_ readEnd: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64)
    var numbers: Set<Int32> = []
    while case .success(let count) = Descriptor(number: readEnd).read(into: &bytes), count > 0 {
      numbers.formUnion(bytes[..<count].map(Int32.init))
    }
    let continuations = table.withLock { table in
      table.signals.filter { numbers.contains($0.key.number) }.flatMap { $0.value.listeners.values }
    }
    for continuation in continuations { continuation.yield() }
  }
}
