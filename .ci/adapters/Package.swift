// swift-tools-version: 6.3
// The adapters of the article *Logs, metrics, spans and services*, for the step `adapters` of `.ci/run`. The folder that
// MILLRACE_ADAPTER_PACKAGES names has checkouts of all seven packages; without it they are fetched.
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

let packages: [Package.Dependency]
if let folder = Context.environment["MILLRACE_ADAPTER_PACKAGES"] {
  packages = [
    "swift-log", "swift-metrics", "swift-distributed-tracing", "swift-service-lifecycle",
    // Dependencies of these: a checkout by path takes the place of the address that their manifests name.
    "swift-service-context", "swift-async-algorithms", "swift-collections",
  ].map { .package(path: "\(folder)/\($0)") }
} else {
  packages = [
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.10.1"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.4.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.11.0"),
  ]
}

let package = Package(
  name: "adapters",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "millrace", path: "../..")] + packages,
  targets: [
    .executableTarget(
      name: "adapters",
      dependencies: [
        .product(name: "Millrace", package: "millrace"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "AdaptersTests",
      dependencies: [
        "adapters",
        .product(name: "Millrace", package: "millrace"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
  ]
)
