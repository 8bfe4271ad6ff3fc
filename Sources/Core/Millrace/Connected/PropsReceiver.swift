/// An object that a store gives props to: a ``Component`` or a ``ViewComponent``.
///
/// Conform to one of these two protocols. A type that conforms to this protocol alone cannot be connected.
public protocol PropsReceiver<Props>: AnyObject, Sendable {
  /// The value that the receiver gets.
  associatedtype Props: Equatable & Sendable
  /// Where the store delivers props. ``Component`` and ``ViewComponent`` implement it.
  nonisolated var _target: _PropsTarget<Props> { get }
}

/// Where a store delivers props. Only the library makes values of this type.
public struct _PropsTarget<Props: Equatable & Sendable>: Sendable {
  let display: @Sendable (Connected.Entry) -> Display
}

extension Component {
  /// Delivers props by calling `update(_:)`.
  public nonisolated var _target: _PropsTarget<Props> {
    _PropsTarget { ComponentDisplay<Self, Props>(self, $0) }
  }
}

extension ViewComponent {
  /// Delivers props by setting `props` on the main actor.
  public nonisolated var _target: _PropsTarget<Props> {
    _PropsTarget { ViewDisplay<Self, Props>(weakly: self, $0) }
  }
}

extension Component where Self: ViewComponent {
  @available(
    *, unavailable, message: "conform to Component or to ViewComponent: the store serves one of the two"
  )
  /// Unavailable: the compiler reports a type that is both here. Never called.
  public nonisolated var _target: _PropsTarget<Props> { preconditionFailure("what the compiler refuses") }
}

extension PropsReceiver {
  @available(
    *, unavailable, message: "conform to Component, or to ViewComponent for a view on the main actor"
  )
  /// Unavailable: the compiler reports a conformance to `PropsReceiver` alone here. Never called.
  public nonisolated var _target: _PropsTarget<Props> { preconditionFailure("what the compiler refuses") }
}
