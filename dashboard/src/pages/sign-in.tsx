// Signing in, with a password or with the identity provider of the house.
import { useState } from 'react';
import type { SessionView } from '@trivium/contract';
import { ask } from '../api/http.ts';
import { useAction } from '../api/use-action.ts';
import { Button, ErrorNote } from '../parts/basics.tsx';
import { EmailInput, Gate, PasswordInput } from '../parts/gate.tsx';
import { usePlace } from '../shell/router.tsx';

interface SignInProps {
  view: SessionView;
  onSignedIn: () => void;
}

export function SignInPage({ view, onSignedIn }: SignInProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const returned = usePlace().query.get('error');
  const enter = useAction(async () => {
    await ask('POST', '/auth/sign-in/email', { email, password });
    onSignedIn();
  });
  const single = useAction(async () => {
    const body = { provider: 'oidc', callbackURL: '/', errorCallbackURL: '/sign-in' };
    const { url } = await ask<{ url: string }>('POST', '/auth/sign-in/social', body);
    location.assign(url);
  });
  const trouble = enter.error ?? single.error ?? refusal(returned, view.single_sign_on);
  return (
    <Gate onSubmit={() => enter.run()}>
      <h1>Sign in</h1>
      {view.needs_set_up ? (
        <div className="note warn">
          Nobody has an account here yet. Open the set-up link that the gateway printed when it
          started.
        </div>
      ) : null}
      <EmailInput value={email} onChange={setEmail} />
      <PasswordInput autoComplete="current-password" value={password} onChange={setPassword} />
      <ErrorNote error={trouble} />
      <Button kind="primary" submit busy={enter.busy}>
        Sign in
      </Button>
      {view.single_sign_on === null ? null : (
        <Button busy={single.busy} onPress={() => single.run()}>
          Continue with {view.single_sign_on}
        </Button>
      )}
    </Gate>
  );
}

/** Why the identity provider sent somebody back. */
function refusal(code: string | null, provider: string | null): Error | undefined {
  if (code === null) return undefined;
  if (code === 'signup_disabled') {
    return new Error(
      `Whoever you are at ${provider ?? 'the identity provider'} was not invited here. ` +
        'Ask an operator of this gateway for an invitation.',
    );
  }
  if (code === 'unable_to_get_user_info') {
    return new Error(
      `What ${provider ?? 'the identity provider'} says of you is not enough to sign you in: it ` +
        'must give a verified email address, and one that is not another person’s here. ' +
        'An operator finds the reason in the log.',
    );
  }
  return new Error(
    `${provider ?? 'The identity provider'} did not let you in (${code}). Try again, ` +
      'or sign in with your password.',
  );
}
