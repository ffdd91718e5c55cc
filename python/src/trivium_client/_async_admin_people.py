"""The operator's async client for the dashboard's users: people and invitations."""

from . import _people_operations as operations
from ._async_admin_part import AsyncAdminPart
from ._people_operations import Role
from .admin_models import NewInvite, PeopleList, Person, Removed, ResetLink


class AsyncPeople(AsyncAdminPart):
    """The people who can sign in to the dashboard."""

    async def list(self) -> PeopleList:
        """Everyone who can sign in (`people`), and the open invitations (`invites`)."""
        return await self._client._send(operations.people())

    async def update(
        self, person_id: str, *, role: Role, account_id: str | None = None
    ) -> Person:
        """Changes what a person may do. It takes effect with their next request.

        Args:
            person_id: The id of the person.
            role: `operator`, `member` or `viewer`.
            account_id: The account of a member or a viewer.
        """
        change = {"role": role, "account_id": account_id}
        return await self._client._send(operations.update_person(person_id, change))

    async def delete(self, person_id: str) -> Removed:
        """Removes a person and signs them out.

        Args:
            person_id: The id of the person.
        """
        return await self._client._send(operations.delete_person(person_id))

    async def reset_password(self, person_id: str) -> ResetLink:
        """Creates a link that lets the person choose a new password.

        Args:
            person_id: The id of the person.
        """
        return await self._client._send(operations.reset_password(person_id))


class AsyncInvitations(AsyncAdminPart):
    """Links that give people access to the dashboard. `people.list` lists the open ones."""

    async def create(
        self,
        role: Role,
        *,
        account_id: str | None = None,
        label: str | None = None,
        idempotency_key: str | None = None,
    ) -> NewInvite:
        """Creates an invitation. The answer contains the token of its link, shown only once.

        Args:
            role: `operator`, `member` or `viewer`.
            account_id: The account of a member or a viewer.
            label: The person or the purpose that the invitation is for.
            idempotency_key: Generated for each call unless given. A call repeated with it
                creates one invitation.
        """
        invitation = {"role": role, "account_id": account_id, "label": label}
        call = operations.create_invitation(invitation, idempotency_key)
        return await self._client._send(call)

    async def delete(self, invitation_id: str) -> Removed:
        """Withdraws an invitation.

        Args:
            invitation_id: The id of the invitation.
        """
        return await self._client._send(operations.delete_invitation(invitation_id))
