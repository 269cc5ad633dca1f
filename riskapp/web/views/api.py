"""What programs can ask for, on a page drawn from the description that programs read too."""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from riskapp.services.tokens import SCOPES
from riskapp.web.api import api

Json = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    context = {"groups": described(), "scopes": SCOPES, "base": request.build_absolute_uri("/api/v1")}
    return render(request, "api/reference.html", context)


@cache
def described() -> list[Json]:
    """Every operation; the description changes only with the program."""
    return groups(api.get_openapi_schema())


def groups(schema: Json) -> list[Json]:
    """The operations by what they are about, in the order in which one needs them."""
    found: dict[str, list[Json]] = {}
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                told = methods[method]
                found.setdefault(told["tags"][0], []).append(operation(schema, path, method, told))
    return [{"name": name, "operations": operations} for name, operations in found.items()]


def operation(schema: Json, path: str, method: str, told: Json) -> Json:
    """One operation: what it does, what is sent with it, what comes back."""
    return {
        "id": told["operationId"].rpartition("_api_")[2],
        "method": method.upper(),
        "path": path.removeprefix("/api/v1"),
        "words": told.get("description", ""),
        "scope": told["x-scope"],
        "parameters": [_parameter(one) for one in told.get("parameters", []) if one["in"] == "query"],
        "body": _body(schema, told),
        "answers": [_answer(schema, status, one) for status, one in told["responses"].items() if status != "default"],
    }


def _parameter(one: Json) -> Json:
    return {"name": one["name"], "type": _type(one["schema"]), "needed": one.get("required", False), "words": ""}


def _body(schema: Json, told: Json) -> list[Json]:
    content = told.get("requestBody", {}).get("content", {})
    return [field for kind in content.values() for field in _fields(schema, kind["schema"])]


def _answer(schema: Json, status: str, told: Json) -> Json:
    kinds = [kind["schema"] for kind in told.get("content", {}).values() if kind.get("schema")]
    return {
        "status": status,
        "many": any(kind.get("type") == "array" for kind in kinds),
        "fields": [field for kind in kinds for field in _fields(schema, kind.get("items", kind))],
    }


def _fields(schema: Json, shape: Json) -> list[Json]:
    shape = _resolved(schema, shape)
    needed = shape.get("required", [])
    return [
        {"name": name, "type": _type(one), "needed": name in needed, "words": one.get("description", "")}
        for name, one in shape.get("properties", {}).items()
    ]


def _resolved(schema: Json, shape: Json) -> Json:
    if "$ref" not in shape:
        return shape
    found: Json = schema["components"]["schemas"][shape["$ref"].rpartition("/")[2]]
    return found


def _type(shape: Json) -> str:
    """A shape in a few words: `text or null`, `one of self, register, counts`, `list of objects`."""
    if "anyOf" in shape:
        return " or ".join(_type(one) for one in shape["anyOf"])
    if "enum" in shape:
        return "one of " + ", ".join(map(str, shape["enum"]))
    if "const" in shape:
        return f"“{shape['const']}”"
    if "$ref" in shape:
        return str(shape["$ref"].rpartition("/")[2])
    if shape.get("type") == "array":
        return f"list of {_type(shape.get('items', {}))}"
    return WORDS.get(str(shape.get("format") or shape.get("type", "")), "anything")


WORDS = {
    **{"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "null": "null"},
    **{"object": "object", "uuid": "id", "date-time": "time", "date": "date", "binary": "file"},
}
