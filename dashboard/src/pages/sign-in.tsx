// Signing in, with a password or with the identity provider of the house.
import { useState } from 'react';
import type { SessionView } from '@trivium/contract';
import { ask } from '../api/http.ts';
import { useAction } from '../api/use-action.ts';
import { Button, ErrorNote } from '../parts/basics.tsx';
import { Input } from '../parts/field.tsx';
import { Brand } from '../shell/brand.tsx';

interface SignInProps {
  view: SessionView;
  onSignedIn: () => void;
}

export function SignInPage({ view, onSignedIn }: SignInProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const enter = useAction(async () => {
    await ask('POST', '/auth/sign-in/email', { email, password });
    onSignedIn();
  });
  const single = useAction(async () => {
    const body = { providerId: 'oidc', callbackURL: '/' };
    const { url } = await ask<{ url: string }>('POST', '/auth/sign-in/oauth2', body);
    location.assign(url);
  });
  return (
    <main className="gate">
      <form
        className="gate-card"
        onSubmit={(event) => {
          event.preventDefault();
          enter.run();
        }}
      >
        <span className="brand">
          <Brand /> Trivium
        </span>
        <h1>Sign in</h1>
        {view.needs_set_up ? (
          <div className="note warn">
            Nobody has an account here yet. Open the set-up link that the gateway printed when it
            started.
          </div>
        ) : null}
        <Input
          label="Email"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={setEmail}
        />
        <Input
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        <ErrorNote error={enter.error ?? single.error} />
        <Button kind="primary" submit busy={enter.busy}>
          Sign in
        </Button>
        {view.single_sign_on === null ? null : (
          <Button busy={single.busy} onPress={() => single.run()}>
            Continue with {view.single_sign_on}
          </Button>
        )}
      </form>
    </main>
  );
}
