// Keyed arrays are part of what `import Millrace` brings.
@_exported import MillraceCollections
