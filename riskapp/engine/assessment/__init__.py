"""Assessment files: from what an officer writes to a problem that rules are measured by."""

from riskapp.engine.assessment.build import Built, build
from riskapp.engine.assessment.read import read
from riskapp.engine.assessment.settings import Assessment

__all__ = ["Assessment", "Built", "build", "read"]
