/// Decides which listing of a folder to send. Pure.
///
/// A file system dates a change by the last tick of the system's clock, so two changes within one tick have equal
/// dates. So a listing contains a changed file only once the change is older than a tick and than the quiet time of the
/// request. Until then it contains the file as it was before.
struct FolderNews {
  /// The longest tick of a system's clock.
  static let tick = Duration.milliseconds(20)

  private let quiet: Duration
  /// The last result sent; `nil` before the first.
  private var sent: Result<[String: FileFacts], FolderWatchFailure>?

  init(quiet: Duration) { self.quiet = max(quiet, Self.tick) }

  /// The folder was listed.
  ///
  /// - Parameters:
  ///   - found: the files, or the reason why there is no listing.
  ///   - start: the time at which the listing began, since 1970.
  ///   - end: the time at which it ended.
  /// - Returns: the result to send, `nil` if it equals the last one; and the time until the next listing, `nil` if no
  ///   file waits for its quiet time.
  mutating func looked(
    _ found: Result<[String: FileFacts], FolderWatchFailure>, from start: Duration, to end: Duration
  ) -> (news: Result<[String: FileFacts], FolderWatchFailure>?, due: Duration?) {
    var news = found
    var due: Duration?
    if case .success(var files) = found {
      var former: [String: FileFacts] = [:]
      if case .success(let files) = sent { former = files }
      for (name, facts) in files where former[name] != facts {
        // A program has set a date in the future, which says nothing about the change.
        let standsStill = facts.modified <= start - quiet || facts.modified > end + Self.tick
        if facts.kind == .folder || standsStill { continue }
        files[name] = former[name]
        let wait = quiet - (start - facts.modified)
        due = min(due ?? wait, wait)
      }
      news = .success(files)
    }
    defer { sent = news }
    return (news == sent ? nil : news, due)
  }
}
