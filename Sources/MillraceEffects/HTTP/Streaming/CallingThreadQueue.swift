import Foundation

#if canImport(FoundationNetworking)
/// A queue that calls every block at once, in the thread that adds it.
///
/// On Linux a session reads from its sockets in one thread and hands what it has read to a queue without ever waiting
/// for that: with any other queue, what the delegate has not seen yet piles up in memory, and a body that nobody wants
/// any more is read slower than it comes.
final class CallingThreadQueue: OperationQueue, @unchecked Sendable {  // it has no state of its own
  override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
