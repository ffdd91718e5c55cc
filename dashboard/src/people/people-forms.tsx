// The forms to invite a person and to change a role, and the links that are shown once.
import { useState } from 'react';
import type {
  Account,
  InviteRequest,
  NewInvite,
  Person,
  PersonChange,
  ResetLink,
} from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useAction, useIdempotencyKey } from '../api/use-action.ts';
import { useForm } from '../api/use-form.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Input, Select } from '../components/field.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { when } from '../format.ts';
import { useSession } from '../shell/session.tsx';

interface InviteFormProps {
  accounts: readonly Account[];
  onClose: () => void;
  onMade: (made: NewInvite) => void;
}

export function InviteForm({ accounts, onClose, onMade }: InviteFormProps) {
  const [role, setRole] = useState('member');
  const { account } = useSession();
  const [accountId, setAccount] = useState(account.id);
  const idempotencyKey = useIdempotencyKey();
  const form = useForm({ label: '' }, async ({ label }) => {
    const body: InviteRequest = {
      ...roleOf(role, accountId),
      ...(label.trim() === '' ? {} : { label }),
    };
    onMade(await admin.invitations.create(body, { idempotency_key: idempotencyKey }));
  });
  return (
    <FormDialog title="Invite a person" submit="Create a link" form={form} onClose={onClose}>
      <Input
        label="Label"
        hint="Who it is for, so that you recognise it in the list. Optional."
        {...form.field('label')}
      />
      <RoleFields {...{ role, setRole, accountId, setAccount, accounts }} />
    </FormDialog>
  );
}

interface RoleFormProps {
  person: Person;
  accounts: readonly Account[];
  onClose: () => void;
}

export function RoleForm({ person, accounts, onClose }: RoleFormProps) {
  const { account } = useSession();
  const [role, setRole] = useState<string>(person.role);
  const [accountId, setAccount] = useState(person.account_id ?? account.id);
  const save = useAction(() => admin.people.update(person.id, roleOf(role, accountId)), onClose);
  return (
    <FormDialog
      title={`Role of ${person.name}`}
      submit="Save"
      form={{ action: save }}
      onClose={onClose}
    >
      <RoleFields {...{ role, setRole, accountId, setAccount, accounts }} />
      <p className="small soft">
        The change takes effect immediately, including where the person is signed in.
      </p>
    </FormDialog>
  );
}

interface RoleFieldsProps {
  role: string;
  setRole: (role: string) => void;
  accountId: string;
  setAccount: (id: string) => void;
  accounts: readonly Account[];
}

function RoleFields({ role, setRole, accountId, setAccount, accounts }: RoleFieldsProps) {
  const { account } = useSession();
  return (
    <>
      <Select
        label="Role"
        options={[
          ['member', 'Member of an account'],
          ['viewer', 'Viewer of an account, read-only'],
          ['operator', 'Operator of this gateway'],
        ]}
        value={role}
        onChange={setRole}
      />
      {role === 'operator' ? null : (
        <Select
          label="Account of the person"
          options={withCurrent<{ id: string; name: string }>(accounts, account).map(
            ({ id, name }) => [id, name] as const,
          )}
          value={accountId}
          onChange={setAccount}
        />
      )}
    </>
  );
}

/** The current account may be missing from a long list. */
function withCurrent<T extends { id: string }>(accounts: readonly T[], current: T): readonly T[] {
  return accounts.some(({ id }) => id === current.id) ? accounts : [current, ...accounts];
}

function roleOf(role: string, accountId: string): PersonChange {
  if (role === 'operator') return { role };
  return { role: role === 'viewer' ? role : 'member', account_id: accountId };
}

export function InviteLinkDialog({ made, onClose }: { made: NewInvite; onClose: () => void }) {
  const link = `${location.origin}/join#${made.token}`;
  return (
    <SecretDialog
      title="Invitation link"
      secret={link}
      copy="Copy the link"
      done="Done"
      onClose={onClose}
    >
      Send it to one person. It works once, for seven days, and is not shown again.
    </SecretDialog>
  );
}

interface ResetLinkDialogProps {
  made: ResetLink;
  person: Person;
  onClose: () => void;
}

export function ResetLinkDialog({ made, person, onClose }: ResetLinkDialogProps) {
  return (
    <SecretDialog
      title={`Password reset link for ${person.name}`}
      secret={`${location.origin}/reset#${made.token}`}
      copy="Copy the link"
      done="Done"
      onClose={onClose}
    >
      {`Give it to ${person.email}. It works once, until ${when(made.expires_at)}, and is not ` +
        'shown again.'}
    </SecretDialog>
  );
}
