"""What the register says of a release stands in columns of its own, also for the releases that are there already."""

from typing import Any

from django.db import migrations, models


def fill(apps: Any, schema_editor: Any) -> None:
    for release in (
        apps.get_model("riskapp", "Release").objects.filter(figures__isnull=False).select_related("proposal")
    ):
        people = release.figures["people"].values()
        counted = [*people, *(one["by_replay"] for one in people if one.get("by_replay"))]
        together = [one for one in [(release.attacks or {}).get("same_recipient")] if one]
        release.people = release.proposal.evidence["people"]
        release.expected_found = max((float(one["expected_found"]) for one in counted), default=0.0)
        release.singled_out = max((one["singled_out"] for one in [*counted, *together]), default=0)
        release.save(update_fields=["people", "expected_found", "singled_out"])


class Migration(migrations.Migration):
    dependencies = [
        ("riskapp", "0006_waiting_imports"),
    ]

    operations = [
        migrations.AddField(model_name="release", name="expected_found", field=models.FloatField(null=True)),
        migrations.AddField(model_name="release", name="people", field=models.BigIntegerField(null=True)),
        migrations.AddField(model_name="release", name="singled_out", field=models.BigIntegerField(null=True)),
        migrations.AddField(model_name="release", name="would_be_singled_out", field=models.BigIntegerField(null=True)),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
