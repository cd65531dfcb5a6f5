"""What comes in and goes out: connections, requests, sockets, and who may do what."""
