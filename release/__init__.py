"""What owners are given who do not want to build: a Debian package and an image."""
