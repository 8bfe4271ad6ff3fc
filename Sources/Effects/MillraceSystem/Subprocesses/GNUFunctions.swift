#if !canImport(Darwin)
import Foundation

/// Functions of the C library that its headers declare only with `_GNU_SOURCE`, which Swift's module does not define.
/// Found by their names; `nil` if the library lacks the function.
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
