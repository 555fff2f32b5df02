"""Commands for whoever runs a house."""
