"""What a move was worth: positions weighed by an engine, mistakes found, games annotated."""
