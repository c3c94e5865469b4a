"""The only room with threads, files and sockets: what carries events in and actions out."""
