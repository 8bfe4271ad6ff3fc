import Millrace

extension StoreEvent.Ending {
  /// The way of ending without the number of an action, for labels.
  var word: String {
    switch self {
    case .finished: "finished"
    case .answered: "answered"
    case .withdrawn: "withdrawn"
    case .disconnected: "disconnected"
    case .failed: "failed"
    @unknown default: "other"
    }
  }
}
