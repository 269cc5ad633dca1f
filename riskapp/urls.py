from django.urls import include, path

urlpatterns = [path("", include("riskapp.web.urls"))]

handler400 = "riskapp.web.views.errors.bad_request"
handler403 = "riskapp.web.views.errors.refused"
handler404 = "riskapp.web.views.errors.not_found"
handler500 = "riskapp.web.views.errors.broken"
