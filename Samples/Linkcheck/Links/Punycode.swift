import Foundation

/// Host names in other scripts as the name system has them: `bücher.example` is `xn--bcher-kva.example` (RFC 3492).
enum Punycode {
  /// The host, composed as IDNA wants it, with each label that is not ASCII encoded.
  static func host(_ host: String) -> String? {
    let composed = host.precomposedStringWithCanonicalMapping
    var labels: [String] = []
    for label in composed.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false) {
      guard !label.allSatisfy(\.isASCII) else {
        labels.append(String(String.UnicodeScalarView(label)))
        continue
      }
      guard let encoded = encoded(label.map(\.value)) else { return nil }
      labels.append("xn--" + encoded)
    }
    return labels.joined(separator: ".")
  }

  private static func encoded(_ scalars: [UInt32]) -> String? {
    var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
    let basicCount = UInt32(output.count)
    var handled = basicCount
    if basicCount > 0 { output.append(UInt8(ascii: "-")) }
    var (next, delta, bias) = (UInt32(128), UInt32(0), UInt32(72))
    while handled < scalars.count {
      guard let least = scalars.filter({ $0 >= next }).min() else { return nil }
      let (product, overflow) = (least - next).multipliedReportingOverflow(by: handled + 1)
      guard !overflow, product < 1 << 30 else { return nil }
      delta += product
      next = least
      for scalar in scalars {
        if scalar < next { delta += 1 }
        guard scalar == next else { continue }
        append(delta, bias: bias, to: &output)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func append(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
    var rest = delta
    var position: UInt32 = 36
    while true {
      let threshold = position <= bias ? 1 : min(26, position - bias)
      guard rest >= threshold else { break }
      output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
      rest = (rest - threshold) / (36 - threshold)
      position += 36
    }
    output.append(digit(rest))
  }

  private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var steps: UInt32 = 0
    while delta > 455 {
      delta /= 35
      steps += 36
    }
    return steps + 36 * delta / (delta + 38)
  }

  private static func digit(_ value: UInt32) -> UInt8 {
    value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "0") + UInt8(value - 26)
  }
}
