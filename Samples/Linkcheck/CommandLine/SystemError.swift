import Foundation

/// The system's words for what went wrong.
enum SystemError {
  /// The words for an error number.
  static func message(of number: Int32) -> String { String(cString: strerror(number)) }

  /// The system's own words for an error of Foundation's, which wraps them in many of its own.
  static func message(of error: any Error) -> String {
    var next: NSError? = error as NSError
    while let error = next {
      if error.domain == NSPOSIXErrorDomain { return message(of: Int32(error.code)) }
      next = error.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return error.localizedDescription
  }
}
