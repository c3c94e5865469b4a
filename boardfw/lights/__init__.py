"""What the lights show: a session's view becomes a scene, and a scene at an instant a frame."""
