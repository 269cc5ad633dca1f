"""The addresses of decisions and releases."""

from django.urls import URLPattern, URLResolver, include, path

from riskapp.web.views import proposals, proposing, register, releases

of_proposal = [
    path("", proposals.show, name="proposal"),
    path("warnings/", proposals.warned, name="proposal-warnings"),
    path("decide/", proposals.decide, name="proposal-decide"),
    path("withdraw/", proposals.withdraw, name="proposal-withdraw"),
    path("comment/", proposals.comment, name="proposal-comment"),
    path("answer/", proposals.answer, name="proposal-answer"),
    path("answers/", proposals.answer_several, name="proposal-answers"),
    path("advice/", proposals.advise, name="proposal-advise"),
    path("advice/<int:remark_id>/", proposals.followed, name="proposal-followed"),
]
of_release = [
    path("", releases.show, name="release"),
    path("terms/", releases.accept, name="release-terms"),
    path("download/", releases.download, name="release-download"),
    path("report/", releases.report, name="release-report"),
    path("parts/<str:name>/", releases.part, name="release-part"),
    path("build/", releases.build_again, name="release-build"),
    path("revoke/", releases.revoke, name="release-revoke"),
    path("shred/", releases.purge, name="release-purge"),
]
of_project: list[URLPattern | URLResolver] = [
    path("runs/<uuid:run_id>/propose/", proposing.propose, name="propose"),
    path("proposals/", proposals.index, name="proposals"),
    path("proposals/<uuid:proposal_id>/", include(of_proposal)),
    path("releases/", releases.index, name="releases"),
    path("releases/<uuid:release_id>/", include(of_release)),
    path("files/<str:token>/", releases.file, name="release-file"),
    path("decisions/", proposing.settings, name="project-decisions"),
]
of_site = [
    path("register/", register.index, name="register"),
    path("register/export/", register.export, name="register-export"),
    path("verify/", register.verify, name="verify"),
]
