import Foundation

/// Runs `body` on a thread whose stack is as small as that of a Dispatch worker on Apple's systems.
func onSmallStack(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    let thread = Thread {
      body()
      continuation.resume()
    }
    thread.stackSize = 512 * 1024
    thread.start()
  }
}
