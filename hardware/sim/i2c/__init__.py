"""The I2C bus under test: chips by their registers, controllers by their quirks, time by bits.

It lies under the real smbus2: what a driver does to a chip here it does on a Raspberry Pi.
"""
