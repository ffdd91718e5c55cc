// Where a set-up or invitation link leads: a name, an address, a password, and in.
import { useState } from 'react';
import type { SessionView } from '@trivium/contract';
import { ask, RequestError } from '../api/http.ts';
import { useAction } from '../api/use-action.ts';
import { Button, ErrorNote } from '../parts/basics.tsx';
import { Input } from '../parts/field.tsx';
import { EmailInput, Gate, PasswordInput } from '../parts/gate.tsx';
import { go } from '../shell/router.tsx';

/** The gateway refuses shorter ones. */
const min_password_length = 12;

export function JoinPage({ view, onJoined }: { view: SessionView; onJoined: () => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const token = location.hash.slice(1);
  const join = useAction(async () => {
    await ask('POST', '/admin/v1/join', { token, name, email, password });
    await ask('POST', '/auth/sign-in/email', { email, password });
    go('/', 'replace');
    onJoined();
  });
  const issues = join.error instanceof RequestError ? join.error.issues : [];
  const faultOf = (path: string) => issues.find((issue) => issue.path === path)?.message;
  return (
    <Gate onSubmit={() => join.run()}>
      <div>
        <h1>{view.needs_set_up ? 'Set up your gateway' : 'Join this gateway'}</h1>
        <p className="soft">
          {view.needs_set_up
            ? 'You will be its operator. The link works once.'
            : 'You were invited. The link works once.'}
        </p>
      </div>
      <Input label="Name" autoComplete="name" required value={name} onChange={setName} />
      <EmailInput value={email} onChange={setEmail} fault={faultOf('email')} />
      <PasswordInput
        autoComplete="new-password"
        hint={`At least ${min_password_length} characters. A sentence is easy to remember.`}
        minLength={min_password_length}
        value={password}
        onChange={setPassword}
        fault={faultOf('password')}
      />
      <ErrorNote error={issues.length > 0 ? undefined : join.error} />
      <Button kind="primary" submit busy={join.busy}>
        {view.needs_set_up ? 'Create the operator' : 'Join'}
      </Button>
    </Gate>
  );
}
