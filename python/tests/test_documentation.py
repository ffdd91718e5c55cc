"""Every parameter is documented, no name of the package shadows a builtin, and blocking clients await nothing."""

import ast
import builtins
import inspect
from pathlib import Path
from typing import Any

import pytest
import trivium_client
from trivium_client import AsyncTrivium, AsyncTriviumAdmin, Trivium, TriviumAdmin

PACKAGE = Path(inspect.getfile(trivium_client)).parent
MODULES = sorted(PACKAGE.glob("*.py"))


def parts_of(client: type[Any]) -> list[type[Any]]:
    made = client(url="http://gateway.example", **{_token(client): "x"})
    found = [client]
    for part in vars(made).values():
        if type(part).__module__.startswith("trivium_client._") and hasattr(part, "_client"):
            found.append(type(part))
            found += [type(one) for one in vars(part).values() if hasattr(one, "_client")]
    return [one for one in found if "Sender" not in one.__name__]


def _token(client: type[Any]) -> str:
    return "admin_token" if "Admin" in client.__name__ else "api_key"


@pytest.mark.parametrize("client", [Trivium, AsyncTrivium, TriviumAdmin, AsyncTriviumAdmin])
def test_every_parameter_of_every_method_is_documented(client: type[Any]) -> None:
    missing = []
    counted = 0
    for part in parts_of(client):
        methods = {name: one for name, one in inspect.getmembers(part, inspect.isfunction)}
        for name, method in methods.items():
            if name.startswith("_") and not (name == "__init__" and part is client):
                continue
            document = inspect.getdoc(part if name == "__init__" else method) or ""
            for parameter in list(inspect.signature(method).parameters)[1:]:
                counted += 1
                if f"{parameter}: " not in document:
                    missing.append(f"{part.__name__}.{name}({parameter})")
    assert missing == []
    assert counted > 30


def test_every_field_of_a_request_and_of_a_filter_is_documented() -> None:
    missing = []
    for module in ("requests", "_operations", "_fields"):
        tree = ast.parse((PACKAGE / f"{module}.py").read_text("utf-8"))
        for kind in ast.walk(tree):
            if not isinstance(kind, ast.ClassDef) or kind.name.endswith("ProviderOptions"):
                continue
            for field, following in zip(kind.body, [*kind.body[1:], None], strict=True):
                if isinstance(field, ast.AnnAssign) and not isinstance(following, ast.Expr):
                    missing.append(f"{module}.{kind.name}: {ast.unparse(field.target)}")
    assert missing == []


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_no_name_shadows_a_builtin(module: Path) -> None:
    """Methods and fields do not count: they are accessed through their object."""
    known = {name for name in dir(builtins) if not name.startswith("_")}
    tree = ast.parse(module.read_text("utf-8"))
    fields = {
        id(node)
        for kind in ast.walk(tree)
        if isinstance(kind, ast.ClassDef)
        for statement in kind.body
        for node in ([statement, getattr(statement, "target", None)])
    }
    shadowing = []
    for node in ast.walk(tree):
        name = None
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = None if id(node) in fields else node.name
        elif isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = None if id(node) in fields else node.id
        elif isinstance(node, ast.alias):
            name = node.asname or node.name
        if name in known:
            shadowing.append(f"{module.stem}: {name}")
    assert shadowing == []


@pytest.mark.parametrize("name", ["client", "admin"])
def test_a_blocking_client_awaits_nothing(name: str) -> None:
    text = (PACKAGE / f"_{name}.py").read_text("utf-8")
    asynchronous = (ast.Await, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith)
    assert [one for one in ast.walk(ast.parse(text)) if isinstance(one, asynchronous)] == []
    assert "Async" not in text
    assert "def " in text
