"""``boardfw accuracy``: simulated hands play games through the whole firmware, and are scored."""
