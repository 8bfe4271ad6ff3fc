import Millrace

/// Makes ids numbered in the order of the calls, instead of random ones.
///
/// Let the program make its ids by a function that it is given. A test passes this function, and so knows every id:
///
/// ```swift
/// struct Order: Equatable, Sendable { let id: String }
/// let ids = IncrementingIDs { "order-\($0)" }
/// let makeOrder: @Sendable () -> Order = { Order(id: ids.next()) }
/// #expect(makeOrder() == Order(id: "order-0"))
/// #expect(makeOrder() == Order(id: "order-1"))
/// ```
///
/// All members can be used from any thread. No number is given twice. If several tasks ask for ids, their order decides
/// which task gets which.
public final class IncrementingIDs<ID: Sendable>: Sendable {
  private let nextNumber: Lock<Int>  // all that changes
  private let make: @Sendable (Int) -> ID

  /// Makes a source of the ids that `make` returns for `first`, `first + 1`, and so on.
  ///
  /// - Parameter make: returns the id of a number. It is called on the thread that asks for the id.
  public init(from first: Int = 0, make: @escaping @Sendable (Int) -> ID) {
    nextNumber = Lock(first)
    self.make = make
  }

  /// Makes a source of the numbers from `first` on.
  public convenience init(from first: Int = 0) where ID == Int {
    self.init(from: first) { $0 }
  }

  /// Returns the next id. O(1), besides what `make` does.
  public func next() -> ID {
    let number = nextNumber.withLock { number in
      defer { number += 1 }
      return number
    }
    return make(number)
  }
}
