"""A seed that is kept apart from the proposal's id, what was warned of at an approval, and from when tables are."""

from typing import Any

from django.db import migrations, models

import riskapp.models.ordered
import riskapp.models.proposal


def draw(apps: Any, schema_editor: Any) -> None:
    """Each proposal that is there already gets a seed of its own."""
    for proposal in apps.get_model("riskapp", "Proposal").objects.only("pk"):
        proposal.seed = riskapp.models.proposal.new_seed()
        proposal.save(update_fields=["seed"])


class Migration(migrations.Migration):
    dependencies = [
        ("riskapp", "0007_register_figures"),
    ]

    operations = [
        migrations.AddField(
            model_name="proposal",
            name="seed",
            field=models.CharField(default=riskapp.models.proposal.new_seed, max_length=32),
        ),
        migrations.AddField(
            model_name="proposal", name="warned", field=riskapp.models.ordered.OrderedJSONField(null=True)
        ),
        migrations.AddField(model_name="attacker", name="as_of", field=models.DateField(null=True)),
        migrations.AddField(model_name="proposal", name="data_until", field=models.DateField(null=True)),
        migrations.RunPython(draw, migrations.RunPython.noop),
    ]
