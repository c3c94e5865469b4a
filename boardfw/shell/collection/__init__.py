"""The collection: every game of the database, found, shown, named, brought in and given away."""
