import Millrace

/// A generator of random numbers that gives the same numbers for the same seed.
///
/// Pass it wherever the standard library takes a generator, so that the program under test draws known numbers:
///
/// ```swift
/// var random = SeededRandom(seed: 7)
/// let dice = (1...5).map { _ in Int.random(in: 1...6, using: &random) }
/// random = SeededRandom(seed: 7)
/// #expect((1...5).map { _ in Int.random(in: 1...6, using: &random) } == dice)
/// ```
///
/// The numbers of ``next()`` are those of SplitMix64, on every platform and in every version. Results that the standard
/// library computes from them, such as `shuffled(using:)`, can change with its version. Unfit for secrets: one number
/// reveals all later ones.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var numbers: SplitMix64

  /// Makes a generator whose numbers are computed from `seed`.
  public init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  /// Returns the next number, any of 64 bits. O(1)
  public mutating func next() -> UInt64 { numbers.next() }
}
