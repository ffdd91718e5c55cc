// The page of a set-up or invitation link: asks for name, email address and password.
import { useState } from 'react';
import type { SessionView } from '@trivium/contract';
import { checkInvite, join as joinGateway, signIn } from '../api/session-calls.ts';
import { fieldErrorsOf, useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import { Await, Button, Empty, ErrorNote } from '../components/basics.tsx';
import { Input } from '../components/field.tsx';
import { EmailInput, AuthCard, PasswordInput } from '../components/auth-card.tsx';
import { navigate, Link } from '../shell/router.tsx';

/** The gateway refuses shorter passwords. */
const minPasswordLength = 12;

export function JoinPage({ view, onJoined }: { view: SessionView; onJoined: () => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const token = location.hash.slice(1);
  const link = useLoad('link', () => checkInvite(token));
  const join = useAction(async () => {
    await joinGateway({ token, name, email, password });
    await signIn(email, password);
    navigate('/', 'replace');
    onJoined();
  });
  const errors = fieldErrorsOf(join.error, ['name', 'email', 'password']);
  if (token === '' || link.data?.open === false) return <ClosedLink />;
  if (link.data === undefined) {
    return (
      <main className="auth">
        <Await of={link}>{() => null}</Await>
      </main>
    );
  }
  return (
    <AuthCard onSubmit={() => join.run()}>
      <div>
        <h1>{view.needs_set_up ? 'Set up your gateway' : 'Join this gateway'}</h1>
        <p className="soft">
          {view.needs_set_up
            ? 'You will be its operator. The link works once.'
            : 'You were invited. The link works once.'}
        </p>
      </div>
      <Input
        label="Name"
        autoComplete="name"
        required
        value={name}
        onChange={setName}
        error={errors.of('name')}
      />
      <EmailInput value={email} onChange={setEmail} error={errors.of('email')} />
      <PasswordInput
        autoComplete="new-password"
        hint={`At least ${minPasswordLength} characters. A sentence is easy to remember.`}
        minLength={minPasswordLength}
        value={password}
        onChange={setPassword}
        error={errors.of('password')}
      />
      <ErrorNote error={errors.rest} />
      <Button kind="primary" submit busy={join.busy}>
        {view.needs_set_up ? 'Create the operator' : 'Join'}
      </Button>
    </AuthCard>
  );
}

function ClosedLink() {
  return (
    <main className="auth">
      <Empty title="This link does not work" action={<Link to="/">Go to the dashboard</Link>}>
        It was used, has expired, or is not complete. If you have joined before, sign in. Otherwise
        ask an operator for a new link.
      </Empty>
    </main>
  );
}
