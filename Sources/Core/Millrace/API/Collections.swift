// `import Millrace` imports the keyed arrays too.
@_exported import MillraceCollections
