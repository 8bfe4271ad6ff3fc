import Foundation

/// The system's descriptions of errors.
enum SystemError {
  /// The description of an error number.
  static func message(of number: Int32) -> String { String(cString: strerror(number)) }

  /// The system's description of a Foundation error, without Foundation's own words around it.
  static func message(of error: any Error) -> String {
    var next: NSError? = error as NSError
    while let error = next {
      if error.domain == NSPOSIXErrorDomain { return message(of: Int32(error.code)) }
      next = error.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return error.localizedDescription
  }
}
