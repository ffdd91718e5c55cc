// Asks a person whether an application may use the gateway in the name of the account.
import { useEffect } from 'react';
import { requestJson } from '../api/http.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import { AuthCard } from '../components/auth-card.tsx';
import { Await, Button, ErrorNote } from '../components/basics.tsx';
import { usePlace } from '../shell/router.tsx';

interface AccessRequest {
  client_name: string;
  /** The host or the scheme that the browser is sent back to. */
  returns_to: string;
  account: { id: string; name: string };
  person: string;
}

interface Redirect {
  redirect_to: string;
}

export function AuthorizePage() {
  const { query } = usePlace();
  const asked = Object.fromEntries(query);
  const request = useLoad('authorize', () =>
    requestJson<AccessRequest | Redirect>('POST', '/oauth/consent/check', asked),
  );
  const answer = useAction(async (allow: boolean) => {
    const body = { ...asked, allow };
    const { redirect_to } = await requestJson<Redirect>('POST', '/oauth/consent', body);
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
    <AuthCard onSubmit={() => answer.run(true)}>
      <div>
        <h1>Allow {data.client_name}?</h1>
        <p className="soft">
          It can search, read pages and transcribe, and the account {data.account.name} pays. It
          cannot manage accounts, keys or people.
        </p>
      </div>
      <p className="soft">
        You are signed in as {data.person}, and return to <strong>{data.returns_to}</strong>. Allow
        it only if you have just started this there. You can revoke it under Keys.
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
