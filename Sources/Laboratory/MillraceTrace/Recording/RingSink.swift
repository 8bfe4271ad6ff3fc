import Foundation
import Millrace

/// Keeps the last lines in a file that is mapped into memory. See ``RingImage`` for its layout.
final class RingSink: TraceSink {
  // Unsafe: this object owns the mapping, and writes only within its bounds.
  private let memory: UnsafeMutableRawPointer
  private let capacity: Int
  private let path: String
  private var hasBegun = false
  private var written = 0
  /// Taking this lock keeps the compiler from moving earlier writes behind it.
  private let order = Lock(())
  let forgets = true
  private var sinceSnapshot = 0

  init(path: String, bytes: Int) throws(TraceFailure) {
    (self.path, capacity) = (path, bytes - RingImage.page)
    let descriptor = try FileSink.create(path, O_RDWR)
    defer { close(descriptor) }
    // Allocates the disk blocks now: writing to a page for which the disk has no room would end the program.
    #if canImport(Darwin)
    let status = ftruncate(descriptor, off_t(bytes)) == 0 ? 0 : errno
    #else
    let status = posix_fallocate(descriptor, 0, off_t(bytes))
    #endif
    if status != 0 { throw TraceFailure("written", path, status) }
    let mapped = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else { throw TraceFailure("mapped", path, errno) }
    memory = mapped
    put(Array(RingImage.magic.utf8), at: 0)
  }

  deinit { munmap(memory, capacity + RingImage.page) }

  /// The longest line. A longer one would leave too little room for others.
  var longest: Int { capacity / 4 }
  /// A snapshot is due several times in each round of the ring.
  func wantsBeginning(after bytes: Int) -> Bool { sinceSnapshot + bytes > capacity / 4 }

  func begin(_ header: [UInt8]) throws(TraceFailure) {
    sinceSnapshot = 0
    // The file has one header, which is never replaced.
    if hasBegun { return }
    if header.count > RingImage.page - RingImage.headerOffset {
      throw TraceFailure("the header is too long for a ring")
    }
    put(header, at: RingImage.headerOffset)
    put(UInt64(header.count), at: RingImage.headerLengthOffset)
    try FileSink.publish(path)
    hasBegun = true
  }

  func write(_ lines: [UInt8]) {
    var rest = lines[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[...end]
      rest = rest[(end + 1)...]
      writeLine(line)
    }
  }

  func contents() throws(TraceFailure) -> [UInt8] {
    let image = Array(UnsafeRawBufferPointer(start: memory, count: capacity + RingImage.page))
    guard let lines = RingImage.unrolled(image) else { throw TraceFailure("the ring is damaged") }
    return lines
  }

  private func writeLine(_ line: ArraySlice<UInt8>) {
    put(UInt64(written + line.count), at: RingImage.reservedOffset)
    order.withLock { _ in }
    let place = written % capacity
    let first = min(line.count, capacity - place)
    put(line.prefix(first), at: RingImage.page + place)
    put(line.dropFirst(first), at: RingImage.page)
    order.withLock { _ in }
    written += line.count
    sinceSnapshot += line.count
    put(UInt64(written), at: RingImage.writtenOffset)
    order.withLock { _ in }
  }

  private func put(_ number: UInt64, at offset: Int) {
    (memory + offset).storeBytes(of: number.littleEndian, as: UInt64.self)
  }

  private func put(_ bytes: some Collection<UInt8>, at offset: Int) {
    UnsafeMutableRawBufferPointer(start: memory + offset, count: bytes.count).copyBytes(from: bytes)
  }
}
