import Millrace
import MillraceTesting
import Testing
