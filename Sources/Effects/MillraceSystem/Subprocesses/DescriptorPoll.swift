#if !canImport(Darwin)
import Foundation
import Millrace
import MillraceDescriptors

/// Waits for file descriptors in one thread, which exists only while there are waits.
///
/// Dispatch's own sources are not used. On Linux they may crash the process if a pipe hangs up while others are added
/// and removed: their records are used after they were freed (swift-corelibs-libdispatch, issue 949).
final class DescriptorPoll: Sendable {
  static let shared = DescriptorPoll()

  private struct Wait {
    let descriptor: Int32
    let events: Int16
    let ended: @Sendable () -> Void
    var isStopped = false
  }

  private struct State {
    var waits: [UInt64: Wait] = [:]
    var lastNumber: UInt64 = 0
    var hasThread = false
  }

  private let state = Lock(State())
  /// The pipe that ends a poll early; `nil` if there were no descriptors left for it, and then each poll is short.
  private let waking: (read: Descriptor, write: Descriptor)?

  private init() {
    waking = try? Descriptor.pipe(ours: \.read)
    if let waking { _ = fcntl(waking.write.number, F_SETFL, O_NONBLOCK) }
  }

  /// Calls `ended` once, on the thread: when the descriptor is ready or at its end, or after `stop`. The system then no
  /// longer watches the descriptor, so that it may be closed.
  ///
  /// - Returns: the number of the wait.
  func begin(
    _ descriptor: Int32, _ direction: Readiness.Direction, ended: @escaping @Sendable () -> Void
  ) -> UInt64 {
    let events = Int16(direction == .reading ? POLLIN : POLLOUT)
    let (number, begins) = state.withLock { state in
      state.lastNumber += 1
      state.waits[state.lastNumber] = Wait(descriptor: descriptor, events: events, ended: ended)
      defer { state.hasThread = true }
      return (state.lastNumber, !state.hasThread)
    }
    if begins { Thread.detachNewThread { self.run() } } else { wake() }
    return number
  }

  /// Ends a wait. Does nothing if it has ended.
  func stop(_ number: UInt64) {
    let isThere = state.withLock { state in
      state.waits[number]?.isStopped = true
      return state.waits[number] != nil
    }
    if isThere { wake() }
  }

  private func wake() {
    guard let waking else { return }
    // A full pipe also ends the poll.
    _ = withUnsafeBytes(of: UInt8(0)) { DescriptorIO.write($0, to: waking.write.number) }
  }

  private func run() {
    var isIdle = false
    while let waits = next(isIdle) {
      var polled = waits.map { pollfd(fd: $0.wait.descriptor, events: $0.wait.events, revents: 0) }
      if let waking { polled.append(pollfd(fd: waking.read.number, events: Int16(POLLIN), revents: 0)) }
      isIdle = waits.isEmpty
      // Without waits, the thread stays for a while, since reading from a program makes many waits in succession.
      let count = poll(&polled, nfds_t(polled.count), waking == nil ? 10 : isIdle ? 1000 : -1)
      if count < 0, errno != EINTR { usleep(10_000) }
      if waking != nil, polled.last?.revents != 0 {
        isIdle = false
        waking?.read.drain()
      }
      let ready = zip(waits, polled).filter { count > 0 && $1.revents != 0 }.map(\.0.number)
      for end in ended(ready) { end() }
    }
  }

  /// The current waits; `nil` if the thread is no longer needed.
  private func next(_ isIdle: Bool) -> [(number: UInt64, wait: Wait)]? {
    state.withLock { state in
      if state.waits.isEmpty, isIdle || waking == nil {
        state.hasThread = false
        return nil
      }
      return state.waits.map { ($0.key, $0.value) }
    }
  }

  /// Removes the waits that are ready or were stopped, and returns their closures.
  private func ended(_ ready: [UInt64]) -> [@Sendable () -> Void] {
    state.withLock { state in
      let stopped = state.waits.filter(\.value.isStopped).map(\.key)
      return (ready + stopped).compactMap { state.waits.removeValue(forKey: $0)?.ended }
    }
  }
}
#endif
