import Foundation

#if canImport(FoundationNetworking)
/// A queue that calls every block at once, in the thread that adds it.
///
/// On Linux a session reads from its sockets in one thread and hands what it has read to such a queue without ever
/// waiting for it; suspending a task there closes its connection, and resuming sends the request again. With this
/// queue a delegate is called within the reading, so that it can hold the reading up, and the sender with it.
final class CallingThreadQueue: OperationQueue, @unchecked Sendable {  // it has no state of its own
  override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
