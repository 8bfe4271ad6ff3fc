import Foundation
import Millrace
import TestSupport
import Testing

@testable import MillraceHTTP

/// What an upload does next, and the digest of what it sends.
@Suite struct UploadCourseTests {
  @Test("whatever a server answers, the way of an upload ends", arguments: HTTPUploadResumption.allWays)
  func ends(way: HTTPUploadResumption) {
    for seed in TestSize.seeds(200, full: 20_000) {
      var random = SplitMix64(seed: seed)
      let size = Int.random(in: 0...20, using: &random)
      var course = UploadCourse(way, size: size, goesOn: true)
      var steps = 0
      var next = UploadCourse.Next.step
      while next == .step || next == .beginAnew, steps < 100 {
        var headers = HTTPHeaders()
        if Bool.random(using: &random) {
          headers["upload-offset"] = "\(Int.random(in: 0...22, using: &random))"
        }
        if Bool.random(using: &random) {
          headers["range"] = "bytes=0-\(Int.random(in: 0...22, using: &random))"
        }
        let status = [200, 204, 308, 409, 409, 404].randomElement(using: &random) ?? 200
        next = course.answered(status, headers)
        steps += 1
        if case .send(let start) = course.step { #expect((0...size).contains(start)) }
      }
      // A question and a part for each byte, and both once more to complete it and after it was begun anew.
      #expect(steps <= 2 * size + 6, "seed \(seed)")
    }
  }

  private func hash(_ text: String, inParts count: Int = .max) -> [UInt8] {
    var (hash, rest) = (SHA256(), Array(text.utf8)[...])
    while !rest.isEmpty {
      hash.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return hash.finished()
  }

  @Test(
    "SHA-256 is that of the standard's examples, in whatever parts the bytes come",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 10_000),
        "27dd1f61b867b6a0f6e9d8a41c43231de52107e53ae424de8f847b821db4b711"
      ),
    ])
  func sha256(text: String, expected: String) {
    for count in [1, 3, 63, 64, 65, 128, .max] {
      #expect(hash(text, inParts: count).map { String(format: "%02x", $0) }.joined() == expected)
    }
  }
}
