import Dispatch
import Millrace
import MillraceEffects

/// Watches the folders that the state asks for, and tells what is in them.
///
/// ```swift
/// store.connect(FolderWatchEffect(), to: \.folders, action: SpoolAction.folder, background: true)
/// ```
///
/// A run lasts as long as its request is in the state. It sends a listing of the folder at once, and another one
/// whenever that differs: what a listing tells is what is there, however many changes came before it, and however many
/// of them the system has dropped. A file that is being written is told once it has not changed for
/// ``FolderWatchRequest/quiet``. A folder that is removed, replaced or not there yet is no end: the failure is told
/// once, and the next listing when there is one.
///
/// To read each file that is new, keep beside the listing what was read, and ask for the difference; see the sample
/// `cases watch`.
///
/// On Linux the system reports changes by `inotify`. Where it does not, or has no watch left, the folder is looked at
/// every second. A look costs one call of the system for each file.
public struct FolderWatchEffect: EffectComponent {
  private let clock: any Clock<Duration>

  /// Makes an effect, which waits on `clock`.
  public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

  /// Returns the path.
  public func id(of request: FolderWatchRequest) -> String { request.path }

  /// Returns every request in the state. If two have one path, the store reports it.
  public func requests(in folders: Set<FolderWatchRequest>) -> Set<FolderWatchRequest> { folders }

  /// Watches one folder until the run is stopped.
  public func run(_ request: FolderWatchRequest, send: Send<FolderWatchEvent>) async {
    var signal = FolderSignal(path: request.path, clock: clock)
    var news = FolderNews(quiet: request.quiet)
    while !Task.isCancelled {
      signal.arm()  // before the look, so that nothing falls between the two
      let (found, start, end) = await Self.look(at: request.path)
      let (told, due) = news.looked(found, from: start, to: end)
      let event: FolderWatchEvent?
      var waits = [due, request.interval]
      switch told {
      case .success(let files): event = .listed(files, in: request)
      case .failure(let failure): event = .failed(failure, request)
      case nil: event = nil
      }
      if case .failure = found { waits.append(FolderSignal.longestWait) }
      if let event, await send(event) != .reduced { return }
      await signal.wait(atMost: waits.compactMap(\.self).min())
    }
  }

  /// Looks at a folder on a thread that may be blocked.
  private static func look(
    at path: String
  ) async -> (Result<[String: FileFacts], FolderWatchFailure>, start: Duration, end: Duration) {
    await withCheckedContinuation { looked in
      DispatchQueue.global().async {
        let start = FolderReading.now
        let files = FolderReading.files(of: path)
        looked.resume(returning: (files, start, FolderReading.now))
      }
    }
  }
}
