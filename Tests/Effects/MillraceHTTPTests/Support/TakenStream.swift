import Foundation
import MillraceHTTP

/// What one stream has brought.
struct TakenStream {
  var heads: [HTTPResponse] = []
  var lengths: [Int?] = []
  var parts: [Data] = []
  var outcome: Result<HTTPResponse, HTTPFailure>?
  var body: Data { Data(parts.joined()) }

  /// Takes a stream as far as `onPart`, which is called with the number of each part, wants it.
  static func take(
    _ request: HTTPRequest, through client: HTTPClient = .untimed(),
    onPart: (Int) async -> HTTPStreamDecision = { _ in .goOn }
  ) async -> TakenStream {
    var taken = TakenStream()
    do throws(HTTPFailure) {
      let response = try await client.stream(request) { part in
        switch part {
        case .head(let head, let length):
          taken.heads.append(head)
          taken.lengths.append(length)
          return .goOn
        case .body(let bytes):
          taken.parts.append(bytes)
          return await onPart(taken.parts.count)
        }
      }
      taken.outcome = .success(response)
    } catch {
      taken.outcome = .failure(error)
    }
    return taken
  }
}
