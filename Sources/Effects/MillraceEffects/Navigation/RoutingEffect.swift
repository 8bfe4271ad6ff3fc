import Millrace

/// Makes an interface show what a ``Navigation`` wants, one step at a time.
///
/// ```swift
/// store.connect(
///   RoutingEffect<Mail.Screen> { step in await window.perform(step) }, to: \.navigation,
///   action: Mail.Action.navigation)
/// ```
///
/// A step is in progress until `perform` returns, however long that takes. The next one is worked out from what is
/// wanted then. An interface that does not return keeps its run in progress: the activity of the store and its report
/// of a long wait name the step.
///
/// If the effect is disconnected while a step is in progress, an effect that is connected later performs it again,
/// from the beginning. For an interface that was made anew, reduce ``Navigation/reset()`` first.
public struct RoutingEffect<Screen: Hashable & Sendable>: EffectComponent {
  /// The navigation that is followed.
  public typealias State = Navigation<Screen>
  /// The actions that report steps.
  public typealias Action = Navigation<Screen>.Action

  private let perform: @Sendable (Navigation<Screen>.Step) async throws -> Void

  /// Makes an effect that calls `perform` with each step, in a task of its own; a closure that is isolated to the main
  /// actor is called there.
  ///
  /// - Parameter perform: returns when the interface has completed the step, and throws if the interface shows what it
  ///   did before. If it removes an entry that has gone by itself, it should simply return. A step that is stopped,
  ///   by ``Navigation/reset()`` or by disconnecting, cancels its task, and the next one begins when it has returned.
  public init(perform: @escaping @Sendable (Navigation<Screen>.Step) async throws -> Void) {
    self.perform = perform
  }

  /// The same for all steps: one at a time.
  public func id(of step: Navigation<Screen>.Step) -> Int { 0 }

  /// Returns the step that the interface is to perform now.
  public func requests(in navigation: State) -> Set<Navigation<Screen>.Step> {
    navigation.step.map { [$0] } ?? []
  }

  /// Performs the step and reports it.
  public func run(_ step: Navigation<Screen>.Step, send: Send<Action>) async {
    do {
      try await perform(step)
      await send(.performed(step.number))
    } catch {
      await send(.failed(step.number, reason: "\(error)"))
    }
  }
}
