"""What a page says about harm: Φ of example records, live."""
