"""`python -m service.migrations "Add games"`: draft the next revision."""

import sys

from service.migrations import draft

if len(sys.argv) != 2:
    sys.exit(__doc__)
draft(sys.argv[1])
