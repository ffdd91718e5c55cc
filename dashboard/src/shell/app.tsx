// The app: shows set-up, sign-in or a page, depending on the session and the URL.
import { useEffect, useState } from 'react';
import type { SessionView } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { readSession } from '../api/session-calls.ts';
import { announceSession, onSessionChange } from '../api/session-events.ts';
import { useLoad } from '../api/use-load.ts';
import { AuthorizePage } from '../pages/authorize.tsx';
import { JoinPage } from '../pages/join.tsx';
import { ResetPage } from '../pages/reset.tsx';
import { SignInPage } from '../pages/sign-in.tsx';
import { ErrorNote, Loading } from '../components/basics.tsx';
import { keepStateFor } from '../components/use-stored-state.ts';
import { useZone } from '../zone.ts';
import { Frame } from './frame.tsx';
import { LiveUpdates } from './live.tsx';
import { PageAt } from './pages.tsx';
import { navigate, setQuery, takeReturnAddress, useLocation } from './router.tsx';
import { SessionContext } from './session.tsx';
import type { Session } from './session.tsx';

export function App() {
  const { path } = useLocation();
  const session = useLoad('session', readSession);
  const { data: view, reload } = session;
  useEffect(() => onSessionChange(reload), [reload]);
  const changed = () => {
    reload();
    announceSession();
  };
  if (session.error) {
    return (
      <main className="auth">
        <ErrorNote error={session.error} again={reload} />
      </main>
    );
  }
  if (view === undefined) {
    return (
      <main className="auth">
        <Loading />
      </main>
    );
  }
  if (path === '/join') return <JoinPage view={view} onJoined={changed} />;
  if (path === '/reset') return <ResetPage onSignedIn={changed} />;
  // The address stays, so that the person is back on the same page after signing in.
  if (!view.person) return <SignInPage view={view} onSignedIn={changed} />;
  if (path === '/oauth/authorize') return <AuthorizePage />;
  return <SignedIn key={view.person.id} view={view} reload={changed} />;
}

/** The account in the address; its name is known a moment later. */
function useChosenAccount(first: Session['account'], chosen: string | null): Session['account'] {
  const other = chosen !== null && chosen !== first.id;
  const found = useLoad(other ? chosen : undefined, () => admin.accounts.get(chosen ?? ''));
  return other ? { id: chosen, name: found.data?.name ?? chosen } : first;
}

function SignedIn({ view, reload }: { view: SessionView; reload: () => void }) {
  const { person } = view;
  const { path, query } = useLocation();
  useState(() => person && keepStateFor(person.id));
  const first = view.account ?? { id: '', name: 'No account' };
  const account = useChosenAccount(
    first,
    person?.role === 'operator' ? query.get('account') : null,
  );
  const chooseAccount = (id: string) => setQuery({ account: id === first.id ? undefined : id });
  // Another zone changes every date on the page.
  const zone = useZone();
  useEffect(() => {
    const left = takeReturnAddress();
    if (left !== undefined) announceSession();
    if (left !== undefined || path === '/sign-in') navigate(left ?? '/', 'replace');
  }, [path]);
  if (!person) return null;
  return (
    <SessionContext value={{ person, account, view, chooseAccount, reload }}>
      <LiveUpdates accountId={account.id}>
        <Frame>
          <PageAt key={`${account.id} ${zone}`} path={path} />
        </Frame>
      </LiveUpdates>
    </SessionContext>
  );
}
