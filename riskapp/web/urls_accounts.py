"""Coming in, one's own account, and the administrator's pages about people."""

from django.urls import path

from riskapp.web.views import accounts, invitations, me, people, setup, tokens

urlpatterns = [
    path("sign-in/", accounts.sign_in, name="sign-in"),
    path("sign-in/code/", accounts.sign_in_code, name="sign-in-code"),
    path("sign-out/", accounts.sign_out, name="sign-out"),
    path("setup/", setup.setup, name="setup"),
    path("setup/<str:token>/", setup.setup_link, name="setup-link"),
    path("join/", invitations.join, name="join"),
    path("join/<str:token>/", invitations.join_link, name="join-link"),
    path("forgotten/", accounts.forgotten, name="forgotten"),
    path("reset/<uidb64>/<token>/", accounts.Reset.as_view(), name="reset-link"),
    path("account/", me.account, name="account"),
    path("account/password/", me.password, name="account-password"),
    path("account/second-factor/", me.factor, name="second-factor"),
    path("account/second-factor/start/", me.factor_start, name="second-factor-start"),
    path("account/second-factor/confirm/", me.factor_confirm, name="second-factor-confirm"),
    path("account/second-factor/cancel/", me.factor_cancel, name="second-factor-cancel"),
    path("account/second-factor/off/", me.factor_off, name="second-factor-off"),
    path("account/recovery-codes/", me.recovery_codes, name="recovery-codes"),
    path("account/tokens/", tokens.index, name="tokens"),
    path("account/tokens/<uuid:token_id>/withdraw/", tokens.withdraw, name="token-withdraw"),
    path("people/", people.index, name="people"),
    path("people/invite/", people.invite, name="people-invite"),
    path("people/invitations/<uuid:invitation_id>/withdraw/", people.withdraw, name="people-withdraw"),
    path("people/<uuid:person_id>/", people.show, name="person"),
    path("people/<uuid:person_id>/reset-link/", people.reset_link, name="person-reset-link"),
    path("people/<uuid:person_id>/<slug:name>/", people.act, name="person-act"),
]
