// The common protocol of components and views is not to be conformed to by itself.
// error: type 'Logger' does not conform to protocol 'PropsReceiver'
// error: unavailable property '_target' was used to satisfy a requirement of protocol 'PropsReceiver': conform to Component, or to ViewComponent for a view on the main actor

import Millrace

final class Logger: PropsReceiver {
  typealias Props = String
}
