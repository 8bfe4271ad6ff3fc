// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "millrace",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Millrace", targets: ["Millrace"]),
    .library(name: "MillraceEffects", targets: ["MillraceEffects"]),
    .library(name: "MillraceTesting", targets: ["MillraceTesting"]),
    .executable(name: "counter", targets: ["counter"]),
    .executable(name: "linkcheck", targets: ["linkcheck"]),
    .executable(name: "benchmarks", targets: ["benchmarks"]),
  ],
  targets: [
    // The library.
    .target(name: "Millrace", swiftSettings: settings),
    .target(name: "MillraceEffects", dependencies: ["Millrace"], swiftSettings: settings),
    .target(name: "MillraceTesting", dependencies: ["Millrace"], swiftSettings: settings),

    // The samples.
    .executableTarget(
      name: "counter", dependencies: ["Millrace"], path: "Samples/Counter", swiftSettings: settings),
    .target(name: "DemoSite", path: "Samples/DemoSite", swiftSettings: settings),
    .executableTarget(
      name: "linkcheck", dependencies: ["Millrace", "MillraceEffects", "DemoSite"],
      path: "Samples/Linkcheck", swiftSettings: settings),
    .executableTarget(
      name: "benchmarks", dependencies: ["Millrace"], path: "Samples/Benchmarks", swiftSettings: settings),

    // The tests.
    .testTarget(
      name: "MillraceTests", dependencies: ["Millrace", "MillraceTesting"], swiftSettings: settings),
    .testTarget(
      name: "MillraceStressTests", dependencies: ["Millrace", "MillraceTesting"], swiftSettings: settings),
    .testTarget(
      name: "MillraceEffectsTests", dependencies: ["Millrace", "MillraceEffects", "MillraceTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "MillraceTestingTests", dependencies: ["Millrace", "MillraceTesting"], swiftSettings: settings),
    .testTarget(
      name: "CounterTests", dependencies: ["counter", "Millrace", "MillraceTesting"], swiftSettings: settings),
    .testTarget(
      name: "LinkcheckTests",
      dependencies: ["linkcheck", "DemoSite", "Millrace", "MillraceEffects", "MillraceTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests", dependencies: ["Millrace", "MillraceEffects", "MillraceTesting"],
      swiftSettings: settings),
  ]
)
