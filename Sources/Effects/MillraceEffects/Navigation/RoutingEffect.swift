import Millrace

/// Makes an interface show what a ``Navigation`` wants, one step at a time.
///
/// ```swift
/// store.connect(
///   RoutingEffect<Mail.Screen> { step in await window.perform(step) }, to: \.navigation,
///   action: Mail.Action.navigation)
/// ```
///
/// A step is in progress until `perform` returns, however long that takes. The next step is decided from what is wanted
/// then. If `perform` does not return, the activity of the store and its report of a long wait name the step.
///
/// If the effect is disconnected while a step is in progress, an effect that is connected later performs it again,
/// from the beginning. For an interface that was made anew, reduce ``Navigation/reset()`` first.
public struct RoutingEffect<Screen: Hashable & Sendable>: EffectComponent {
  /// The navigation to follow.
  public typealias State = Navigation<Screen>
  /// The actions that report steps.
  public typealias Action = Navigation<Screen>.Action

  private let perform: @Sendable (Navigation<Screen>.Step) async throws -> Void

  /// Makes an effect that calls `perform` with each step, in a task of its own. A closure isolated to the main actor is
  /// called there.
  ///
  /// - Parameter perform: returns when the interface has completed the step, and throws if the interface still shows
  ///   what it did before. If the entry to be removed has already gone by itself, it should return normally. If a step
  ///   is stopped, by ``Navigation/reset()`` or by disconnecting, its task is cancelled. The next step begins when it
  ///   has returned.
  public init(perform: @escaping @Sendable (Navigation<Screen>.Step) async throws -> Void) {
    self.perform = perform
  }

  /// Returns 0 for every step. All steps have one identity, so that one step is performed at a time.
  public func id(of step: Navigation<Screen>.Step) -> Int { 0 }

  /// Returns the step that the interface performs now.
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
