#if !canImport(Darwin)
#if canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#elseif canImport(Android)
@preconcurrency import Android
#elseif canImport(WASILibc)
@preconcurrency import WASILibc
#endif

/// Functions that the C library has and its headers declare only where `_GNU_SOURCE` is defined, which the module
/// that Swift imports does not. Found by their names; `nil` where there is no such function.
enum GNUFunctions {
  typealias Pipe2 = @convention(c) (UnsafeMutablePointer<Int32>?, Int32) -> Int32
  typealias AddFolder =
    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>?, UnsafePointer<CChar>?) -> Int32
  typealias AddCloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>?, Int32) -> Int32

  static let pipe2 = found("pipe2", as: Pipe2.self)
  static let addFolder = found("posix_spawn_file_actions_addchdir_np", as: AddFolder.self)
  static let addCloseFrom = found("posix_spawn_file_actions_addclosefrom_np", as: AddCloseFrom.self)

  private static func found<Function>(_ name: String, as type: Function.Type) -> Function? {
    dlsym(dlopen(nil, RTLD_NOW), name).map { unsafeBitCast($0, to: type) }  // as the C library declares it
  }
}
#endif
