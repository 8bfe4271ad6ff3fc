#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
import Foundation

/// Starts a process with standard streams, a folder, its own group, and signals with default handling or all blocked.
enum PosixSpawn {
  #if canImport(Darwin) || canImport(Android)
  typealias Actions = posix_spawn_file_actions_t?
  typealias Attributes = posix_spawnattr_t?
  #else
  typealias Actions = posix_spawn_file_actions_t
  typealias Attributes = posix_spawnattr_t
  #endif

  /// Returns the process number.
  ///
  /// - Parameters:
  ///   - arguments: begin with the program's own name.
  ///   - standard: standard input, output and error.
  static func start(
    _ path: ExecutableSearch.Path, _ arguments: [[UInt8]], environment: [[UInt8]], standard: [Int32],
    folder: String? = nil, group: pid_t = 0, blocksSignals: Bool = false
  ) throws(Descriptor.Failure) -> pid_t {
    #if canImport(Darwin) || canImport(Android)
    var (actions, attributes): (Actions, Attributes) = (nil, nil)
    #else
    var (actions, attributes) = (Actions(), Attributes())
    #endif
    try check(posix_spawn_file_actions_init(&actions))
    defer { posix_spawn_file_actions_destroy(&actions) }
    try check(posix_spawnattr_init(&attributes))
    defer { posix_spawnattr_destroy(&attributes) }

    for (number, descriptor) in standard.enumerated() {
      try check(posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number)))
    }
    #if canImport(Darwin)
    if let folder { try check(posix_spawn_file_actions_addchdir_np(&actions, folder)) }
    #else
    if let folder { try check(GNUFunctions.addFolder?(&actions, folder) ?? ENOSYS) }
    // The child must not inherit descriptors that other parts of the program have opened.
    try check(GNUFunctions.addCloseFrom?(&actions, 3) ?? 0)
    #endif

    var (all, mask) = (sigset_t(), sigset_t())
    sigfillset(&all)
    if blocksSignals { sigfillset(&mask) } else { sigemptyset(&mask) }
    try check(posix_spawnattr_setsigdefault(&attributes, &all))
    try check(posix_spawnattr_setsigmask(&attributes, &mask))
    try check(posix_spawnattr_setpgroup(&attributes, group))
    var flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    #if canImport(Darwin)
    flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #endif
    try check(posix_spawnattr_setflags(&attributes, Int16(flags)))

    var id: pid_t = 0
    var (arguments, variables) = (copies(of: arguments), copies(of: environment))
    defer { for text in arguments + variables { free(text) } }
    try check(posix_spawn(&id, path, &actions, &attributes, &arguments, &variables))
    return id
  }

  /// Returns texts in the system's form, and `nil` at the end. The caller frees them.
  private static func copies(of texts: [[UInt8]]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { text in strdup(text.map { CChar(bitPattern: $0) } + [0]) } + [nil]
  }

  private static func check(_ status: Int32) throws(Descriptor.Failure) {
    guard status == 0 else { throw Descriptor.Failure(number: status) }
  }
}
#endif
