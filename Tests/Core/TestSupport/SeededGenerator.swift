import Millrace

/// A seeded generator, so that a failure can be had again.
package typealias SeededGenerator = SplitMix64
