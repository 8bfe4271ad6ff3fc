#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// What a node knows of a child without touching it: enough to see that nothing of the child is due.
///
/// The probes of all children lie side by side, so that passing by a slice that did not change costs a comparison
/// of memory, and neither a call nor a reference count.
struct Probe {
  /// Where the child's slice is compared; `nil` if it has to be evaluated.
  let place: ComparedPlace?
  /// How many attachments of each kind there are at the child and beneath.
  var effectCount = 0
  var displayCount = 0
  /// Whether displays are due even if the slice is unchanged now.
  var isMarked = false

  func areEffectsDue(in whole: UnsafeRawPointer) -> Bool {
    effectCount > 0 && !isUnchanged(in: whole)
  }

  func areDisplaysDue(in whole: UnsafeRawPointer) -> Bool {
    // Where effects watch, the slice is up to date, and only the child knows whether it has changed.
    displayCount > 0 && (effectCount > 0 || isMarked || !isUnchanged(in: whole))
  }

  private func isUnchanged(in whole: UnsafeRawPointer) -> Bool { place?.isUnchanged(in: whole) ?? false }
}

/// Where a slice lies in the value that it is a part of, and where its last value lies.
struct ComparedPlace {
  let offset: Int
  let size: Int
  let last: UnsafeRawPointer

  /// Whether the slice has the very bytes of its last value, which makes it equal: equality is reflexive, and storage
  /// that the last value shares with it cannot have been changed in place. Different bytes say nothing.
  func isUnchanged(in whole: UnsafeRawPointer) -> Bool {
    let part = whole + offset
    if size == 8 { return part.loadUnaligned(as: UInt64.self) == last.loadUnaligned(as: UInt64.self) }
    return memcmp(part, last, size) == 0
  }
}
