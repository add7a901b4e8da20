"""The local web app and the HTTP API: one server for people and programs."""
