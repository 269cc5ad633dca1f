"""What we remember."""

from riskapp.models.account import Invitation, User
from riskapp.models.audit import Actor, AuditEvent
from riskapp.models.project import Membership, Project, Role
from riskapp.models.run import Run, RunState
from riskapp.models.upload import Upload, UploadState

__all__ = [
    "Actor",
    "AuditEvent",
    "Invitation",
    "Membership",
    "Project",
    "Role",
    "Run",
    "RunState",
    "Upload",
    "UploadState",
    "User",
]
