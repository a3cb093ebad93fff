"""What is held open: sockets of pages, and events for programs. They only say how things stand, never why."""
