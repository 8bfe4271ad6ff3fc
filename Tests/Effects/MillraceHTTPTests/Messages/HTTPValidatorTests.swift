import Foundation
import MillraceHTTP
import Testing

@Suite struct HTTPValidatorTests {
  @Test(
    "a validator is remembered as it is",
    arguments: [
      HTTPValidator(), HTTPValidator(entityTag: "W/\"v1\""),
      HTTPValidator(entityTag: "\"v1\"", lastModified: "Wed, 21 Oct 2015 07:28:00 GMT"),
    ])
  func coded(validator: HTTPValidator) throws {
    let data = try JSONEncoder().encode(validator)
    #expect(try JSONDecoder().decode(HTTPValidator.self, from: data) == validator)
  }

  @Test("a field that cannot be sent is not decoded", arguments: ["entityTag", "lastModified"])
  func refused(key: String) throws {
    let data = Data(#"{"\#(key)": "a\r\nb"}"#.utf8)
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode(HTTPValidator.self, from: data)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == [key])
    #expect(context.debugDescription == "a line break or a zero cannot be sent in a header field")
  }
}
