"""How exactly games are recorded: simulated hands play through the whole firmware, with scores."""
