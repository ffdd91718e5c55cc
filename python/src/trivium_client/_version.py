"""The version of the installed package, which the build takes from the project's package.json."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("trivium-client")
except PackageNotFoundError:
    # The sources are used without being installed.
    __version__ = "0.0.0"
