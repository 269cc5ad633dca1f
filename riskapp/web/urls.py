from django.urls import URLPattern, URLResolver, include, path

from riskapp.web.views import audit, health, members, projects, uploads

of_upload = [
    path("", uploads.show, name="upload"),
    path("row/", uploads.row, name="upload-row"),
    path("read/", uploads.read_again, name="upload-read"),
    path("retry/", uploads.retry, name="upload-retry"),
    path("columns/<int:column>/values/", uploads.values, name="upload-values"),
    path("shred/", uploads.purge, name="upload-purge"),
]
of_project: list[URLPattern | URLResolver] = [
    path("", projects.show, name="project"),
    path("settings/", projects.describe, name="project-settings"),
    path("members/", members.index, name="members"),
    path("members/invite/", members.invite, name="member-invite"),
    path("members/<int:member_id>/", members.change, name="member"),
    path("members/<int:member_id>/remove/", members.remove, name="member-remove"),
    path("invitations/<uuid:invitation_id>/withdraw/", members.withdraw, name="invitation-withdraw"),
    path("uploads/", uploads.add, name="upload-add"),
    path("uploads/check/", uploads.check, name="upload-check"),
    path("uploads/<uuid:upload_id>/", include(of_upload)),
    path("runs/<uuid:run_id>/cancel/", uploads.cancel, name="run-cancel"),
    path("audit/", audit.of_project, name="project-audit"),
    path("audit/verify/", audit.verify_for_project, name="project-audit-verify"),
    path("audit/export/", audit.export, name="project-audit-export"),
]
urlpatterns = [
    path("", projects.home, name="home"),
    path("", include("riskapp.web.urls_accounts")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("audit/", audit.of_site, name="site-audit"),
    path("audit/verify/", audit.verify_for_site, name="site-audit-verify"),
    path("projects/", projects.index, name="projects"),
    path("projects/new/", projects.new, name="project-new"),
    path("projects/sample/", projects.sample, name="project-sample"),
    path("projects/<uuid:project_id>/", include(of_project)),
]
