// A type is served as a component or as a view.
// error: type 'Screen' does not conform to protocol 'PropsReceiver'
// error: unavailable property '_target' was used to satisfy a requirement of protocol 'PropsReceiver': conform to Component or to ViewComponent: the store serves one of the two

import Millrace

@MainActor final class Screen: Component, ViewComponent {
  var props = 0
  func update(_ props: Int) async {}
}
