"""What a page says about attackers: how a dictionary's columns match, how well it covers, what more knowledge gives."""
