"""What the kitchen uses of Pyodide."""
