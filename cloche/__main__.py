"""`python -m cloche`: the same as `cloche`."""

from cloche.main import main

main(prog_name="cloche")
