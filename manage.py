#!/usr/bin/env python
import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "riskapp.settings")
    from django.core.management import execute_from_command_line

    from riskapp.environment import BadSetting

    try:
        execute_from_command_line(sys.argv)
    except BadSetting as trouble:
        sys.exit(str(trouble))
