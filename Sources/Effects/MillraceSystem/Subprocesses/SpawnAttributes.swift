#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
import Foundation

/// The attributes of a new process: standard streams, a folder, its own group, and signals with default handling or all
/// blocked.
enum SpawnAttributes {
  #if canImport(Darwin) || canImport(Android)
  typealias Actions = posix_spawn_file_actions_t?
  typealias Attributes = posix_spawnattr_t?
  #else
  typealias Actions = posix_spawn_file_actions_t
  typealias Attributes = posix_spawnattr_t
  #endif

  /// Calls `spawn` with the values for `posix_spawn`; it returns the status and the process number.
  static func withAttributes(
    standard: [Int32], folder: String?, group: pid_t = 0, blocksSignals: Bool = false,
    spawn: (inout Actions, inout Attributes) -> (status: Int32, id: pid_t)
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

    let result = spawn(&actions, &attributes)
    try check(result.status)
    return result.id
  }

  private static func check(_ status: Int32) throws(Descriptor.Failure) {
    guard status == 0 else { throw Descriptor.Failure(number: status) }
  }
}
#endif
