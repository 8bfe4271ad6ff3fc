import Millrace

extension StoreOptions {
  /// These options for a store that shuffles what has no promised order: runs that are started or stopped together, answers
  /// to senders, components of several slices that are served together.
  ///
  /// A test that passes with several seeds does not rely on such an order. One seed gives one order, as far as the test
  /// itself leaves nothing to chance.
  public func shuffled(seed: UInt64) -> StoreOptions {
    var options = self
    options.seams.orderSeed = seed
    return options
  }
}
