"""From raw scans to settled edges: what the switches did, told apart from what they chattered."""
