// The app: shows set-up, sign-in or a page, depending on the session and the URL.
import { Suspense, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { SessionView } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { readSession } from '../api/session-calls.ts';
import { announceSession, onSessionChange } from '../api/session-events.ts';
import { useLoad } from '../api/use-load.ts';
import { ErrorNote, Loading } from '../components/basics.tsx';
import { keepStateFor } from '../components/use-stored-state.ts';
import { useZone } from '../zone.ts';
import { Frame } from './frame.tsx';
import { lazyPage } from './lazy-page.ts';
import { LiveUpdates } from './live.tsx';
import { PageAt } from './pages.tsx';
import { navigate, setQuery, takeReturnAddress, useLocation } from './router.tsx';
import { SessionContext } from './session.tsx';
import type { Session } from './session.tsx';

const AuthorizePage = lazyPage(async () => (await import('../pages/authorize.tsx')).AuthorizePage);
const JoinPage = lazyPage(async () => (await import('../pages/join.tsx')).JoinPage);
const ResetPage = lazyPage(async () => (await import('../pages/reset.tsx')).ResetPage);
const SignInPage = lazyPage(async () => (await import('../pages/sign-in.tsx')).SignInPage);

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
  if (view === undefined) return <Waiting />;
  if (path === '/join') return <Form page={<JoinPage view={view} onJoined={changed} />} />;
  if (path === '/reset') return <Form page={<ResetPage onSignedIn={changed} />} />;
  // The address stays, so that the person is back on the same page after signing in.
  if (!view.person) return <Form page={<SignInPage view={view} onSignedIn={changed} />} />;
  if (path === '/oauth/authorize') return <Form page={<AuthorizePage />} />;
  return <SignedIn key={view.person.id} view={view} reload={changed} />;
}

function Waiting() {
  return (
    <main className="auth">
      <Loading />
    </main>
  );
}

/** A page outside of the frame. */
function Form({ page }: { page: ReactNode }) {
  return <Suspense fallback={<Waiting />}>{page}</Suspense>;
}

/** The account in the address; the name of another one is known a moment later. */
function useChosenAccount(first: Session['account'], chosen: string | null) {
  const id = chosen ?? first.id;
  const details = useLoad(id === '' ? undefined : id, () => admin.accounts.get(id));
  const known = id === first.id ? first.name : id;
  return { account: { id, name: details.data?.name ?? known }, details };
}

function SignedIn({ view, reload }: { view: SessionView; reload: () => void }) {
  const { person } = view;
  const { path, query } = useLocation();
  useState(() => person && keepStateFor(person.id));
  const first = view.account ?? { id: '', name: 'No account' };
  const { account, details } = useChosenAccount(
    first,
    person?.role === 'operator' ? query.get('account') : null,
  );
  const chooseAccount = (id: string) =>
    setQuery({ account: id === first.id ? undefined : id, cursor: undefined, request: undefined });
  // Another zone changes every date on the page.
  const zone = useZone();
  useEffect(() => {
    const left = takeReturnAddress();
    if (left !== undefined) announceSession();
    if (left !== undefined || path === '/sign-in') navigate(left ?? '/', 'replace');
  }, [path]);
  if (!person) return null;
  return (
    <SessionContext value={{ person, account, details, view, chooseAccount, reload }}>
      <LiveUpdates accountId={account.id}>
        <Frame>
          <PageAt key={`${account.id} ${zone}`} path={path} />
        </Frame>
      </LiveUpdates>
    </SessionContext>
  );
}
