"""Which page of the handbook is about which page of the product."""

BY_PAGE: dict[str, tuple[str, ...]] = {
    "tutorial/first-project": ("projects", "project-new"),
    "how-to/describe-columns": ("attributes", "attribute"),
    "how-to/hierarchies": ("hierarchy", "shelf"),
    "how-to/use-again": ("dataset", "templates", "template"),
    "how-to/attackers": ("attackers", "attacker", "linkage"),
    "how-to/weigh-harm": ("harm",),
    "how-to/plan-a-run": ("runs", "run", "rehearsal", "notices"),
    "how-to/read-the-frontier": ("frontier", "compare"),
    "how-to/read-a-rule": ("rule",),
    "how-to/approve": ("propose", "proposals", "proposal", "releases", "project-decisions"),
    "how-to/carry-an-assessment": ("assessment-import",),
    "how-to/accounts": (
        *("sign-in", "setup", "join", "forgotten", "reset-link", "account", "second-factor", "recovery-codes"),
        *("people", "person"),
    ),
    "how-to/api": ("api",),
    "reference/files": ("project",),
    "reference/profile": ("upload",),
    "reference/limits": ("release-class", "classes"),
    "reference/roles": ("members", "member", "project-settings"),
    "reference/audit": ("project-audit", "site-audit", "audit-projects"),
    "reference/tokens": ("tokens",),
    "reference/manifest": ("verify",),
    "explanation/releases": ("release", "register"),
}
_PAGES = {name: page for page, names in BY_PAGE.items() for name in names}


def page_about(name: str) -> str:
    """The page of the handbook about an address by its name; about a part of a page, that about the page.

    >>> page_about("frontier"), page_about("rule-attacker"), page_about("help")
    ('how-to/read-the-frontier', 'how-to/read-a-rule', '')
    """
    while name and name not in _PAGES:
        name = name.rpartition("-")[0]
    return _PAGES.get(name, "")
