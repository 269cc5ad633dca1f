"""The handbook: the pages under docs/ and the glossary, shown inside the application, without the network."""

from riskapp.web.handbook.pages import Page, Shelf, page, picture, shelves
from riskapp.web.handbook.searching import Hit, search

__all__ = ["Hit", "Page", "Shelf", "page", "picture", "search", "shelves"]
