/// A component on the main actor that shows props.
///
/// The store holds a view weakly: it stays connected until it is disconnected or nobody else holds it.
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

  /// The props to show. The store sets it on the main actor: once after the view is connected, then
  /// whenever the slice differs from what the view last got. Values may be skipped; the last one never is.
  var props: Props { get set }
}
