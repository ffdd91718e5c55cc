// Asks a person whether an application may use the gateway on behalf of the account.
import { useEffect } from 'react';
import { checkConsent, giveConsent } from '../api/session-calls.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/data.ts';
import { AuthCard } from '../components/auth-card.tsx';
import { Await, Button, ErrorNote } from '../components/basics.tsx';
import { useLocation } from '../shell/router.tsx';

export function AuthorizePage() {
  const { query } = useLocation();
  const asked = Object.fromEntries(query);
  const request = useLoad(['consent', asked], () => checkConsent(asked));
  const answer = useAction(async (allow: boolean) => {
    const { redirect_to } = await giveConsent(asked, allow);
    location.assign(redirect_to);
  });
  const { data } = request;
  const elsewhere = data && 'redirect_to' in data ? data.redirect_to : undefined;
  useEffect(() => {
    document.title = 'Allow access · Trivium';
    if (elsewhere !== undefined) location.assign(elsewhere);
  }, [elsewhere]);
  if (data === undefined || 'redirect_to' in data) {
    return (
      <main className="auth">
        <Await of={request}>{() => null}</Await>
      </main>
    );
  }
  return (
    <AuthCard action={{ ...answer, run: () => answer.run(true) }}>
      <div>
        <h1>Allow {data.client_name}?</h1>
        <p className="soft">
          It can search, read pages and transcribe, and the account {data.account.name} pays. It
          cannot manage accounts, keys or people.
        </p>
      </div>
      <p className="soft">
        You are signed in as {data.person} and will return to <strong>{data.returns_to}</strong>.
        Allow access only if you have just started this there. You can revoke it under Keys.
      </p>
      <ErrorNote error={answer.error} />
      <Button kind="primary" submit busy={answer.busy}>
        Allow
      </Button>
      <Button busy={answer.busy} onPress={() => answer.run(false)}>
        Deny
      </Button>
    </AuthCard>
  );
}
