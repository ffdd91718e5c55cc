// The app: shows set-up, sign-in or a page, depending on the session and the URL.
import { useEffect, useState } from 'react';
import type { SessionView } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { announceSession, onSessionNews } from '../api/session-events.ts';
import { useLoad } from '../api/use-load.ts';
import { JoinPage } from '../pages/join.tsx';
import { SignInPage } from '../pages/sign-in.tsx';
import { ErrorNote, Loading } from '../components/basics.tsx';
import { useZone } from '../zone.ts';
import { Frame } from './frame.tsx';
import { PageAt } from './pages.tsx';
import { go, takeReturnAddress, usePlace } from './router.tsx';
import { SessionContext } from './session.tsx';

export function App() {
  const { path } = usePlace();
  const session = useLoad('session', () => requestJson<SessionView>('GET', '/admin/v1/session'));
  const { data: view, reload } = session;
  useEffect(() => onSessionNews(reload), [reload]);
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
  // The address stays, so that the person is back on the same page after signing in.
  if (!view.person) return <SignInPage view={view} onSignedIn={changed} />;
  return <SignedIn key={view.person.id} view={view} reload={changed} />;
}

function SignedIn({ view, reload }: { view: SessionView; reload: () => void }) {
  const { person } = view;
  const first = view.account ?? { id: '', name: 'No account' };
  const [account, chooseAccount] = useState(first);
  const { path } = usePlace();
  // Another zone changes every date on the page.
  const zone = useZone();
  useEffect(() => {
    const left = takeReturnAddress();
    if (left !== undefined) announceSession();
    if (left !== undefined || path === '/sign-in') go(left ?? '/', 'replace');
  }, [path]);
  if (!person) return null;
  return (
    <SessionContext value={{ person, account, view, chooseAccount, reload }}>
      <Frame>
        <PageAt key={`${account.id} ${zone}`} path={path} />
      </Frame>
    </SessionContext>
  );
}
