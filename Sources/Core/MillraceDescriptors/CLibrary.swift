// The C library, for this module and for the files that import it.
#if canImport(Darwin)
@_exported import Darwin
#elseif canImport(Glibc)
@_exported @preconcurrency import Glibc
#elseif canImport(Musl)
@_exported @preconcurrency import Musl
#elseif canImport(Android)
@_exported @preconcurrency import Android
#elseif canImport(WASILibc)
@_exported @preconcurrency import WASILibc
#endif
