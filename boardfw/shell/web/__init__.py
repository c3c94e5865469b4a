"""The board's side of its web page: what is shown is seen here, what is asked is done here."""
