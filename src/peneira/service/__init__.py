"""What the server, its HTTP API and the tools for agents share: settings, guarded reading, the wrapper library."""
