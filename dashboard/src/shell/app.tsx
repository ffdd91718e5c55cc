// The app: shows set-up, sign-in or a page, depending on the session and the URL.
import { Suspense, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { SessionView } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { readSession } from '../api/session-calls.ts';
import { announceSession, onSessionChange } from '../api/session-events.ts';
import { keepDataFor, retryFailed, useLoad } from '../api/data.ts';
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

const AuthorizePage = lazyPage(
  async () => (await import('../sign-in/authorize.tsx')).AuthorizePage,
);
const JoinPage = lazyPage(async () => (await import('../sign-in/join.tsx')).JoinPage);
const ResetPage = lazyPage(async () => (await import('../sign-in/reset.tsx')).ResetPage);
const SignInPage = lazyPage(async () => (await import('../sign-in/sign-in.tsx')).SignInPage);
const SignInAgain = lazyPage(async () => (await import('../sign-in/sign-in.tsx')).SignInAgain);

export function App() {
  const { path } = useLocation();
  const session = useLoad(['session'], readSession);
  const { data: view, reload } = session;
  /** The view of the last signed-in person, until that person signs out. */
  const [last, setLast] = useState<SessionView>();
  if (view?.person && view !== last) setLast(view);
  useEffect(
    () =>
      onSessionChange((change) => {
        if (change === 'out') setLast(undefined);
        reload();
      }),
    [reload],
  );
  useRetry(session.error, reload);
  const signedIn = () => {
    reload();
    announceSession('in');
    retryFailed();
  };
  const signedOut = () => {
    setLast(undefined);
    reload();
    announceSession('out');
  };
  if (session.error && !last) {
    return (
      <main className="auth">
        <ErrorNote error={session.error} again={reload} />
      </main>
    );
  }
  if (view === undefined && !last) return <Waiting />;
  const known = view ?? last;
  if (!known) return <Waiting />;
  if (path === '/join') return <Form page={<JoinPage view={known} onJoined={signedIn} />} />;
  if (path === '/reset') return <Form page={<ResetPage onSignedIn={signedIn} />} />;
  // The address stays, so that the person is back on the same page after signing in.
  if (!known.person && !last) {
    return <Form page={<SignInPage view={known} onSignedIn={signedIn} />} />;
  }
  if (path === '/oauth/authorize') return <Form page={<AuthorizePage />} />;
  const shown = known.person ? known : last;
  if (!shown?.person) return <Waiting />;
  return (
    <>
      <SignedIn key={shown.person.id} view={shown} signedOut={signedOut} />
      {/* Shown above the page, so that text that was typed is still there afterwards. */}
      {known.person ? null : (
        <Suspense>
          <SignInAgain view={known} onSignedIn={signedIn} onLeave={signedOut} />
        </Suspense>
      )}
    </>
  );
}

const retryMs = 3000;

/** Tries again automatically after a page could not be opened. */
function useRetry(error: Error | undefined, retry: () => void): void {
  useEffect(() => {
    if (!error) return undefined;
    const timer = setTimeout(retry, retryMs);
    return () => clearTimeout(timer);
  }, [error, retry]);
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

/** The account in the address. Its id is shown instead of its name until its details are loaded. */
function useChosenAccount(first: Session['account'], chosen: string | null) {
  const id = chosen ?? first.id;
  const details = useLoad(id === '' ? undefined : ['accounts', 'one', id], () =>
    admin.accounts.get(id),
  );
  const known = id === first.id ? first.name : id;
  return { account: { id, name: details.data?.name ?? known }, details };
}

interface SignedInProps {
  view: SessionView;
  signedOut: () => void;
}

function SignedIn({ view, signedOut }: SignedInProps) {
  const { person } = view;
  const { path, query } = useLocation();
  useState(() => {
    if (!person) return;
    keepStateFor(person.id);
    keepDataFor(person.id);
  });
  const first = view.account ?? { id: '', name: 'No account' };
  const { account, details } = useChosenAccount(
    first,
    person?.role === 'operator' ? query.get('account') : null,
  );
  const chooseAccount = (id: string) =>
    setQuery({ account: id === first.id ? undefined : id, cursor: undefined, request: undefined });
  // A new time zone renders the page again, because it changes every date.
  const zone = useZone();
  useEffect(() => {
    const left = takeReturnAddress();
    if (left !== undefined) announceSession('in');
    if (left !== undefined || path === '/sign-in') navigate(left ?? '/', 'replace');
  }, [path]);
  if (!person) return null;
  return (
    <SessionContext value={{ person, account, details, view, chooseAccount, signedOut }}>
      <LiveUpdates accountId={account.id}>
        <Frame>
          <PageAt key={`${account.id} ${zone}`} path={path} />
        </Frame>
      </LiveUpdates>
    </SessionContext>
  );
}
