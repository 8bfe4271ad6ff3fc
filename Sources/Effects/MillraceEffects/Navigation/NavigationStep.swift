import Millrace

extension Navigation {
  /// One thing that the interface is to do, to come nearer to what is wanted.
  public struct Step: Hashable, Sendable, CustomStringConvertible {
    /// What changes on the screen.
    public enum Change: Hashable, Sendable {
      /// The newest entry goes.
      case pop(Entry)
      /// An entry, with the screen that it shows now, shows another one.
      case change(Entry, to: Screen)
      /// An entry appears above the others.
      case push(Entry)

      /// The entry that goes, changes or appears, as it is before the change.
      public var entry: Entry {
        switch self {
        case .pop(let entry), .change(let entry, _), .push(let entry): entry
        }
      }
    }

    /// The number of the step, from 1, unique in its navigation.
    public let number: UInt64
    /// What changes on the screen.
    public let change: Change
    /// Whether the interface shows all that is wanted after this step, as things stood when it was decided. Others
    /// need no animation.
    public let isLast: Bool

    /// Makes a step, for tests.
    public init(number: UInt64, change: Change, isLast: Bool) {
      (self.number, self.change, self.isLast) = (number, change, isLast)
    }

    /// What is done to which entry, such as `push #7 settings`.
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

  /// What a ``RoutingEffect`` reports. Pass it to `reduce(_:)`.
  public enum Action: Hashable, Sendable {
    /// The interface has performed the step with this number.
    case performed(UInt64)
    /// The interface could not perform it, and shows what it showed before.
    case failed(UInt64, reason: String)

    var number: UInt64 {
      switch self {
      case .performed(let number), .failed(let number, _): number
      }
    }
  }
}

extension Navigation.Step.Change {
  /// The first change on the way from what is shown to what is wanted: entries that are not wanted go, from the
  /// newest on; those that stay show what they should; then others appear.
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

  /// Does to `shown` what the interface has done. What has moved by itself meanwhile stays as it is.
  func perform(on shown: inout KeyedArray<Navigation.Entry>) {
    switch self {
    case .pop(let entry): shown.remove(id: entry.id)
    case .change(let entry, let screen): shown[id: entry.id]?.screen = screen
    case .push(let entry): shown.append(entry)
    }
  }
}
