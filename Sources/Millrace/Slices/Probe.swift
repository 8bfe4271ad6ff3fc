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
  /// Whether attachments of each kind are at the child or beneath.
  var hasEffects = false
  var hasDisplays = false
  /// Whether displays are due even if the slice is unchanged now.
  var isMarked = false

  func areEffectsDue(in whole: UnsafeRawPointer) -> Bool {
    hasEffects && !isUnchanged(in: whole)
  }

  func areDisplaysDue(in whole: UnsafeRawPointer) -> Bool {
    // Where effects watch, the slice is up to date, and only the child knows whether it has changed.
    hasDisplays && (hasEffects || isMarked || !isUnchanged(in: whole))
  }

  private func isUnchanged(in whole: UnsafeRawPointer) -> Bool { place?.isUnchanged(in: whole) ?? false }
}

/// Where a slice lies in the value that it is a part of, and where its last value lies.
struct ComparedPlace {
  private let offset: UInt32
  private let size: UInt32
  private let last: UnsafeRawPointer

  /// - Returns: `nil` if the whole is so large that it cannot be said in short.
  init?(offset: Int, size: Int, last: UnsafeRawPointer) {
    guard let offset = UInt32(exactly: offset), let size = UInt32(exactly: size) else { return nil }
    self.offset = offset
    self.size = size
    self.last = last
  }

  /// Whether the slice has the very bytes of its last value, which makes it equal: equality is reflexive, and storage
  /// that the last value shares with it cannot have been changed in place. Different bytes say nothing.
  func isUnchanged(in whole: UnsafeRawPointer) -> Bool {
    let part = whole + Int(offset)
    if size == 8 { return part.loadUnaligned(as: UInt64.self) == last.loadUnaligned(as: UInt64.self) }
    return memcmp(part, last, Int(size)) == 0
  }
}
