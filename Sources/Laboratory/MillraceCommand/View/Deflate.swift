import Foundation

/// Deflates data with the system's zlib, which is loaded at the first use.
///
/// The library is found by name, as in MillraceHTTP. Without it the data is not compressed.
enum Deflate {
  private typealias Bound = @convention(c) (UInt) -> UInt
  private typealias Compress =
    @convention(c) (
      UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt>, UnsafePointer<UInt8>?, UInt, CInt
    ) -> CInt

  private static let functions: (bound: Bound, compress: Compress)? = {
    guard let library = dlopen("libz.so.1", RTLD_NOW) ?? dlopen("libz.1.dylib", RTLD_NOW),
      let bound = dlsym(library, "compressBound"), let compress = dlsym(library, "compress2")
    else { return nil }
    // Unsafe: `dlsym` has no types. These are the types in zlib.h, where `uLong` is `unsigned long`, unchanged since
    // version 1.0.
    return (unsafeBitCast(bound, to: Bound.self), unsafeBitCast(compress, to: Compress.self))
  }()

  /// Returns the data in the format of zlib; `nil` if there is no zlib.
  static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    guard let functions else { return nil }
    let room = functions.bound(UInt(bytes.count))
    var result: CInt = 0
    // Unsafe: the buffers live during the call, and zlib writes at most `count` bytes and sets `count` to that number.
    let deflated = [UInt8](unsafeUninitializedCapacity: Int(room)) { output, written in
      var count = room
      result = functions.compress(output.baseAddress, &count, bytes, UInt(bytes.count), 9)
      written = result == 0 ? Int(count) : 0
    }
    return result == 0 ? deflated : nil
  }
}
