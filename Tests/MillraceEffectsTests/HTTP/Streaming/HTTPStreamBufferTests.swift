import Foundation
import Testing

@testable import MillraceEffects

@Suite struct HTTPStreamBufferTests {
  private let head = HTTPStreamPart.head(HTTPResponse(), length: nil)
  private let full = Data(repeating: 1, count: HTTPStreamBuffer.capacity)

  @Test("the head comes first, then the body, then the outcome")
  func order() {
    var buffer = HTTPStreamBuffer()
    #expect(buffer.take() == nil)
    buffer.headArrived(head)
    #expect(buffer.bodyArrived(Data([1])) == false)
    #expect(buffer.bodyArrived(Data([2])) == false)
    buffer.ended(.failure(.cutOff(received: 2, expected: 3)))
    #expect(buffer.take() == .part(head))
    #expect(buffer.take() == .part(.body(Data([1, 2]))))
    #expect(buffer.take() == .end(.failure(.cutOff(received: 2, expected: 3))))
  }

  @Test("what memory does not hold goes to the file, and all after it, until the file is empty")
  func spooling() {
    var buffer = HTTPStreamBuffer()
    #expect(buffer.bodyArrived(full) == false)
    #expect(buffer.bodyArrived(Data([2])) == true)
    #expect(buffer.take() == .part(.body(full)))
    #expect(buffer.bodyArrived(Data([3])) == true)
    #expect(buffer.bodyArrived(full) == true)
    buffer.ended(.success(HTTPResponse()))
    #expect(buffer.take() == .spooled(full.count))
    #expect(buffer.take() == .spooled(2))
    #expect(buffer.take() == .end(.success(HTTPResponse())))
    buffer = HTTPStreamBuffer()
    #expect(buffer.bodyArrived(full + full) == true)
    #expect(buffer.take() == .spooled(full.count))
    #expect(buffer.take() == .spooled(full.count))
    #expect(buffer.take() == nil)
    #expect(buffer.bodyArrived(Data([4])) == false)
  }

  @Test(
    "a stream that is given up drops what waits, and takes nothing more",
    arguments: [HTTPFailure.cancelled, .timedOut])
  func givenUp(failure: HTTPFailure) {
    var buffer = HTTPStreamBuffer()
    buffer.headArrived(head)
    #expect(buffer.bodyArrived(full) == false)
    #expect(buffer.bodyArrived(full) == true)
    buffer.ended(.failure(failure))
    #expect(buffer.bodyArrived(full) == false)
    buffer.ended(.failure(.notHTTP("")))
    #expect(buffer.take() == .end(.failure(failure)))
  }
}

@Suite struct SpoolFileTests {
  @Test("bytes come out as they went in, and a file that is empty takes no room")
  func order() throws {
    let file = try SpoolFile()
    let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
    for _ in 0..<3 {
      try file.append(bytes)
      try file.append(Data([7]))
      #expect(try file.take(60_000) == bytes.prefix(60_000))
      try file.append(bytes.suffix(3))
      #expect(try file.take(40_001) == bytes.suffix(40_000) + [7])
      #expect(file.size > 0)
      #expect(try file.take(3) == bytes.suffix(3))
      #expect(file.size == 0)
    }
  }

  @Test("what was never put in cannot be taken")
  func empty() throws {
    let file = try SpoolFile()
    #expect(throws: SpoolFile.Failure(errorNumber: EIO)) { try file.take(1) }
  }

  @Test("a folder that is not there is an error")
  func noFolder() {
    #expect(throws: SpoolFile.Failure(errorNumber: ENOENT)) { try SpoolFile(in: "/nowhere/at/all") }
  }
}
