import Millrace

extension StoreOptions {
  /// Returns these options for a store that shuffles everything without a promised order: runs that are started or
  /// stopped together, answers to senders, and components of several slices that are updated together.
  ///
  /// A test that passes with several seeds does not rely on such an order. One seed always gives the same order if the
  /// test itself is deterministic.
  public func shuffled(seed: UInt64) -> StoreOptions {
    var options = self
    options.seams.orderSeed = seed
    return options
  }
}
