import Foundation

/// One reader of foreign bytes: reads them, and ends the process where a property does not hold.
typealias FuzzTarget = @Sendable ([UInt8]) -> Void

private let targets: [String: FuzzTarget] = [
  "Addresses": fuzzAddresses, "CSS": fuzzCSS, "Codings": fuzzCodings, "Events": fuzzEvents,
  "Frames": fuzzFrames,
  "Handshakes": fuzzHandshakes, "HTML": fuzzHTML, "Heads": fuzzHeads, "JSON": fuzzJSON, "Lines": fuzzLines,
  "Logs": fuzzLogs, "Markdown": fuzzMarkdown, "RESP": fuzzRESP, "Rings": fuzzRings,
  "Values": fuzzValues,
]

/// The target that the variable `FUZZ` names.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["FUZZ"] ?? ""
  guard let target = targets[name] else {
    print("FUZZ names one of: \(targets.keys.sorted().joined(separator: " "))")
    exit(2)
  }
  return target
}()

/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))  // libFuzzer's memory, for this call
  read(bytes, "the input")
  // A short input is also read as if it were 32 KiB, which shows what grows by the square: `()()…`, `((…))`, `())))…`.
  if (1...64).contains(count), Cost.isPumped(bytes) {
    let (head, tail) = (bytes.prefix(count / 2), bytes.dropFirst(count / 2))
    func repeated(_ part: ArraySlice<UInt8>, _ times: Int = Cost.pumpedSize / count) -> [UInt8] {
      Array(repeatElement(part, count: times).joined())
    }
    read(repeated(bytes[...]), "the input, repeated")
    read(repeated(head) + repeated(tail), "the halves of the input, each repeated")
    read(head + repeated(tail, Cost.pumpedSize / tail.count), "the input, its second half repeated")
  }
  return 0
}

/// What is read, in words: libFuzzer keeps the input alone. It reads in one thread.
nonisolated(unsafe) private var form = ""

private func read(_ bytes: [UInt8], _ name: String) {
  form = name
  Cost.bounded(bytes.count) { target(bytes) }
}

/// Ends the process, so that libFuzzer keeps the input.
func check(_ holds: Bool, _ problem: @autoclosure () -> String) {
  guard !holds else { return }
  let text = "\(form): \(problem())"
  print("PROPERTY: \(text)")
  fatalError(text)  // how a fuzzer is told of a finding
}

/// The parts into which bytes are cut, of sizes that the bytes themselves give: some hundreds at most, so that what is paid
/// for each part does not count as paid for each byte.
func cut(_ bytes: [UInt8]) -> [[UInt8]] {
  var parts: [[UInt8]] = []
  var (rest, state) = (bytes[...], bytes.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) })
  while !rest.isEmpty {
    state = state &* 1_664_525 &+ 1_013_904_223
    let size =
      (state >> 24 < 64 ? Int(state >> 16 & 255) : Int(state >> 16 & 7) + 1) * (1 + bytes.count / 4_096)
    parts.append(Array(rest.prefix(size)))
    rest = rest.dropFirst(size)
  }
  return parts
}
