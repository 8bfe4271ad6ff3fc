import Millrace

/// A folder whose files are to be known, for as long as the request is in the state.
///
/// ```swift
/// let inbox = FolderWatchRequest("/var/spool/inbox", quiet: .seconds(1))
/// ```
public struct FolderWatchRequest: Hashable, Sendable {
  /// The path of the folder. It need not exist yet. The files of its subfolders are not watched.
  public var path: String
  /// How long a file must not have changed before its change is told. Less than 20 milliseconds counts as that, which is
  /// the least by which a system tells two changes apart.
  public var quiet: Duration
  /// How often the folder is looked at even if the system reports no change, as it must be on network file systems that
  /// others write to; `nil` for never. Systems without `inotify` look every second at least.
  public var interval: Duration?

  /// Makes a request. Touches no file.
  public init(_ path: String, quiet: Duration = .milliseconds(100), interval: Duration? = nil) {
    (self.path, self.quiet, self.interval) = (path, quiet, interval)
  }
}
