/// Decides what is told of a folder: a pure value.
///
/// Systems give a change the time of their last tick, so that two changes within one tick look the same. A file is
/// therefore told once its last change is older than a tick, and than the time that the request demands.
struct FolderNews {
  /// The longest tick of a system's file times.
  static let tick = Duration.milliseconds(20)

  private let quiet: Duration
  /// What was told last; `nil` before that.
  private var told: Result<[String: FileFacts], FolderWatchFailure>?

  init(quiet: Duration) { self.quiet = max(quiet, Self.tick) }

  /// The folder was looked at.
  ///
  /// - Parameters:
  ///   - found: what is there.
  ///   - start: when the look began, since 1970.
  ///   - end: when it was over.
  /// - Returns: what is to be told, if anything is, and after what time the next look is due because a file does not
  ///   stand still yet.
  mutating func looked(
    _ found: Result<[String: FileFacts], FolderWatchFailure>, from start: Duration, to end: Duration
  ) -> (news: Result<[String: FileFacts], FolderWatchFailure>?, due: Duration?) {
    var news = found
    var due: Duration?
    if case .success(var files) = found {
      var former: [String: FileFacts] = [:]
      if case .success(let told) = told { former = told }
      for (name, facts) in files where former[name] != facts {
        // A time to come is one that somebody has set.
        let standsStill = facts.modified <= start - quiet || facts.modified > end + Self.tick
        if facts.kind == .folder || standsStill { continue }
        files[name] = former[name]
        let wait = quiet - (start - facts.modified)
        due = min(due ?? wait, wait)
      }
      news = .success(files)
    }
    defer { told = news }
    return (news == told ? nil : news, due)
  }
}
