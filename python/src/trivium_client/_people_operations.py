"""The operator's calls for people and invitations as data."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from ._admin_operations import ROOT, once
from ._call import Call, encode, get, segment
from .admin_models import NewInvite, PeopleList, Person, Removed, ResetLink
from .requests import strict_fields

Role = Literal["operator", "member", "viewer"]


@strict_fields
class PersonChange(TypedDict, total=False):
    role: Role
    """What the person may do."""
    account_id: str | None
    """The account of a member or a viewer."""


@strict_fields
class InviteRequest(TypedDict, total=False):
    role: Role
    """What the invited person may do."""
    label: str | None
    """The person or the purpose that the invitation is for."""
    account_id: str | None
    """The account of a member or a viewer."""


_person_change: TypeAdapter[PersonChange] = TypeAdapter(PersonChange)
_invite: TypeAdapter[InviteRequest] = TypeAdapter(InviteRequest)


def people() -> Call[PeopleList]:
    return get(f"{ROOT}/people", PeopleList, None)


def update_person(person_id: str, change: Mapping[str, Any]) -> Call[Person]:
    return Call("PATCH", _person(person_id), Person, body=encode(_person_change, change))


def delete_person(person_id: str) -> Call[Removed]:
    return Call("DELETE", _person(person_id), Removed)


def reset_password(person_id: str) -> Call[ResetLink]:
    return Call("POST", f"{_person(person_id)}/reset", ResetLink, body=b"{}")


def create_invitation(
    invitation: Mapping[str, Any], idempotency_key: str | None
) -> Call[NewInvite]:
    return once(f"{ROOT}/invites", NewInvite, encode(_invite, invitation), idempotency_key)


def delete_invitation(invitation_id: str) -> Call[Removed]:
    return Call("DELETE", f"{ROOT}/invites/{segment('invitation_id', invitation_id)}", Removed)


def _person(person_id: str) -> str:
    return f"{ROOT}/people/{segment('person_id', person_id)}"
