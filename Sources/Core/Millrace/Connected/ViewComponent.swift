/// A component on the main actor that shows props.
///
/// The store holds a view weakly: the view stays connected until it is disconnected or its last other reference is
/// released.
///
/// ```swift
/// @MainActor final class CountLabel: ViewComponent {
///   var text = ""
///   var props = 0 { didSet { text = "\(props)" } }
/// }
/// ```
@MainActor public protocol ViewComponent<Props>: PropsReceiver {
  /// The value that the view shows.
  associatedtype Props

  /// The props to show. The store sets them on the main actor: once after the view is connected, then whenever the
  /// slice differs from the props that the view last received. Values may be skipped, but never the last one.
  var props: Props { get set }
}
