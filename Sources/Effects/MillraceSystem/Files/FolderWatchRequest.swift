import Millrace

/// A folder to be watched for as long as the request is in the state.
///
/// ```swift
/// let inbox = FolderWatchRequest("/var/spool/inbox", quiet: .seconds(1))
/// ```
public struct FolderWatchRequest: Codable, Hashable, Sendable {
  /// The path of the folder. It need not exist yet. The files of its subfolders are not watched.
  public var path: String
  /// The time that must pass after the last change of a file before a listing contains the change. Less than
  /// 20 milliseconds counts as 20 milliseconds, since systems give changes within one tick of their clock equal dates.
  public var quiet: Duration
  /// The interval at which the folder is listed even if the system reports no change; `nil` for never. Set it for a
  /// network file system, since the system does not report changes of other machines. Without `inotify`, the folder is
  /// listed at least every second.
  public var interval: Duration?
  /// The names of the files to watch, for instance of a file that is replaced by renaming at each save; `nil` for all
  /// files. Listings then contain only these, and are sent only when one of them has changed. A name with a slash
  /// matches no file.
  public var names: Set<String>?

  /// Makes a request. Touches no file.
  public init(
    _ path: String, quiet: Duration = .milliseconds(100), interval: Duration? = nil, names: Set<String>? = nil
  ) {
    (self.path, self.quiet, self.interval, self.names) = (path, quiet, interval, names)
  }
}
