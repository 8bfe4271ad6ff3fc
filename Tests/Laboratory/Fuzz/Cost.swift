import Foundation

/// Bounds of what reading may cost, in proportion to its input.
enum Cost {
  /// How long a repeated input becomes, in bytes.
  static let pumpedSize = 32 << 10

  /// Memory that is taken, freed or not, for each byte and for none; allocations are counted as 64 bytes.
  private static let (bytesPerByte, bytes) = (4_000, 32 << 20)
  /// Processor time of this thread in nanoseconds, for each byte and for none. What is linear takes a hundredth.
  private static let (timePerByte, time) = (50_000, 300_000_000)

  // libFuzzer reads in one thread; others take part where a target starts them.
  nonisolated(unsafe) private static var taken = 0
  nonisolated(unsafe) private static var isCounting = false
  private typealias Hook = @convention(c) (UnsafeRawPointer?, Int) -> Void
  private static let hook: Void = {
    let install = dlsym(dlopen(nil, RTLD_NOW), "__sanitizer_install_malloc_and_free_hooks")
    // The type that AddressSanitizer declares.
    let call = unsafeBitCast(
      install, to: (@convention(c) (Hook, @convention(c) (UnsafeRawPointer?) -> Void) -> CInt).self)
    let isInstalled = call({ _, size in if Cost.isCounting { Cost.taken += size + 64 } }, { _ in })
    precondition(isInstalled != 0, "AddressSanitizer takes no hook")
  }()

  /// Reads, and ends the process if that costs too much.
  static func bounded(_ count: Int, _ read: () -> Void) {
    _ = hook
    taken = 0
    isCounting = true
    let start = now()
    read()
    let spent = now() - start
    isCounting = false
    check(taken <= bytes + bytesPerByte * count, "\(count) bytes take \(taken) bytes of memory")
    check(spent <= time + timePerByte * count, "\(count) bytes take \(spent / 1_000_000) ms")
  }

  /// One short input in 32, chosen by what it is.
  static func isPumped(_ input: [UInt8]) -> Bool {
    input.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 } >> 13 & 31 == 0
      || isEveryOnePumped
  }

  private static let isEveryOnePumped = ProcessInfo.processInfo.environment["FUZZ_PUMP"] != nil

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
