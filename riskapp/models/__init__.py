"""What we remember."""

from riskapp.models.account import Invitation, User
from riskapp.models.audit import Actor, AuditEvent
from riskapp.models.calendar import day_of, today
from riskapp.models.outcome import Finding, FrozenAssessment, Notice, Outcome, WaitingImport
from riskapp.models.project import Membership, Project, Role
from riskapp.models.proposal import Proposal, ProposalState, Remark, Vote
from riskapp.models.release import Download, DownloadLink, Release, ReleaseState, TermsAccepted
from riskapp.models.run import Run, RunState
from riskapp.models.setup import (
    STARTING_LIMITS,
    Attacker,
    AttackerKind,
    Attribute,
    ColumnRole,
    ReleaseClass,
    ReleaseKind,
    Setup,
)
from riskapp.models.shelf import ShelvedHierarchy, Template
from riskapp.models.token import ApiToken
from riskapp.models.upload import Upload, UploadState

__all__ = [
    "STARTING_LIMITS",
    "Actor",
    "ApiToken",
    "Attacker",
    "AttackerKind",
    "Attribute",
    "AuditEvent",
    "ColumnRole",
    "Download",
    "DownloadLink",
    "Finding",
    "FrozenAssessment",
    "Invitation",
    "Membership",
    "Notice",
    "Outcome",
    "Project",
    "Proposal",
    "ProposalState",
    "Release",
    "ReleaseClass",
    "ReleaseKind",
    "ReleaseState",
    "Remark",
    "Role",
    "Run",
    "RunState",
    "Setup",
    "ShelvedHierarchy",
    "Template",
    "TermsAccepted",
    "Upload",
    "UploadState",
    "User",
    "Vote",
    "WaitingImport",
    "day_of",
    "today",
]
