import Millrace

extension Navigation {
  /// One change of the interface on the way to what is wanted.
  public struct Step: Hashable, Sendable, CustomStringConvertible {
    /// The change on the screen.
    public enum Change: Hashable, Sendable {
      /// The newest entry goes.
      case pop(Entry)
      /// An entry, here with its current screen, shows another screen.
      case change(Entry, to: Screen)
      /// An entry appears above the others.
      case push(Entry)

      /// The entry that goes, changes or appears, as before the change.
      public var entry: Entry {
        switch self {
        case .pop(let entry), .change(let entry, _), .push(let entry): entry
        }
      }
    }

    /// The number of the step, from 1, unique in its navigation.
    public let number: UInt64
    /// The change on the screen.
    public let change: Change
    /// Whether the interface shows all that is wanted after this step, as known when the step was decided. Steps that
    /// are not the last need no animation.
    public let isLast: Bool

    /// Makes a step, for tests.
    public init(number: UInt64, change: Change, isLast: Bool) {
      (self.number, self.change, self.isLast) = (number, change, isLast)
    }

    /// The change and its entry, such as `push #7 settings`.
    public var description: String {
      switch change {
      case .pop(let entry): "pop \(entry)"
      case .change(let entry, let screen): "change \(entry) to \(screen)"
      case .push(let entry): "push \(entry)"
      }
    }
  }

  /// A step that the interface could not perform.
  public struct Failure: Hashable, Sendable {
    /// The step.
    public let step: Step
    /// The description of the error that the interface threw.
    public let reason: String

    /// Makes a failure, for tests.
    public init(step: Step, reason: String) { (self.step, self.reason) = (step, reason) }
  }

  /// A report of a ``RoutingEffect``. Pass it to `reduce(_:)`.
  public enum Action: Hashable, Sendable {
    /// The interface has performed the step with this number.
    case performed(UInt64)
    /// The interface could not perform the step, and shows what it showed before.
    case failed(UInt64, reason: String)

    var number: UInt64 {
      switch self {
      case .performed(let number), .failed(let number, _): number
      }
    }
  }
}

extension Navigation.Step.Change {
  /// The first change from what is shown to what is wanted. First, unwanted entries go, from the newest on. Then
  /// entries that stay change to their wanted screens. Then new entries appear.
  init?(from shown: KeyedArray<Navigation.Entry>, to wanted: KeyedArray<Navigation.Entry>) {
    let kept = zip(shown, wanted).prefix { $0.id == $1.id }
    if shown.count > kept.count, let newest = shown.last {
      self = .pop(newest)
    } else if let (old, new) = kept.first(where: { $0.screen != $1.screen }) {
      self = .change(old, to: new.screen)
    } else if wanted.count > kept.count {
      self = .push(wanted[kept.count])
    } else {
      return nil
    }
  }

  /// Applies the change to `shown`. Entries that have moved by themselves meanwhile stay as they are.
  func perform(on shown: inout KeyedArray<Navigation.Entry>) {
    switch self {
    case .pop(let entry): shown.remove(id: entry.id)
    case .change(let entry, let screen): shown[id: entry.id]?.screen = screen
    case .push(let entry): shown.append(entry)
    }
  }
}
