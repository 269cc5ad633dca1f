"""Figures of the register."""

from django import template

from riskapp import selectors
from riskapp.models import Release

register = template.Library()


@register.filter
def found_in(release: Release) -> float:
    """The people that the worst attacker would be expected to find in a release."""
    return selectors.found_in(release)
