"""Who attacks whom, who guards him, and what an exchange on one square wins: no search at all."""

from boardfw.rules.exchange.contacts import Contact, contact, contacts
from boardfw.rules.exchange.loss import Loss, exchange, loss, needless_loss
from boardfw.rules.exchange.pins import Pin, pins
from boardfw.rules.exchange.worth import WORTH

__all__ = [
    "WORTH",
    "Contact",
    "Loss",
    "Pin",
    "contact",
    "contacts",
    "exchange",
    "loss",
    "needless_loss",
    "pins",
]
