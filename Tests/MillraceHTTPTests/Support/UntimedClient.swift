import MillraceHTTP
import MillraceTesting

extension HTTPClient {
  /// A client whose timeouts never come: a machine that is busy fails no test that is about something else.
  static func untimed(connectionsPerHost: Int = 6) -> HTTPClient {
    HTTPClient(connectionsPerHost: connectionsPerHost, clock: TestClock())
  }
}
