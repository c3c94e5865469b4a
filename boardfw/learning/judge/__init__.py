"""The judge: what hands have answered. Right counts early, wrong counts late, touches are free."""
