"""The commands of `cloche`, in folders as `cloche --help` groups them."""
