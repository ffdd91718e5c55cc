// The app: shows set-up, sign-in or a page, depending on the session and the URL.
import { useEffect, useState } from 'react';
import type { SessionView } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { useLoad } from '../api/use-load.ts';
import { JoinPage } from '../pages/join.tsx';
import { SignInPage } from '../pages/sign-in.tsx';
import { ErrorNote, Loading } from '../components/basics.tsx';
import { Frame } from './frame.tsx';
import { PageAt } from './pages.tsx';
import { go, usePlace } from './router.tsx';
import { SessionContext } from './session.tsx';

export function App() {
  const { path } = usePlace();
  const session = useLoad('session', () => requestJson<SessionView>('GET', '/admin/v1/session'));
  const view = session.data;
  const lost = view !== undefined && !view.person && path !== '/join' && path !== '/sign-in';
  useEffect(() => {
    if (lost) go('/sign-in', 'replace');
  }, [lost]);
  if (session.error) {
    return (
      <main className="auth">
        <ErrorNote error={session.error} again={session.reload} />
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
  if (path === '/join') return <JoinPage view={view} onJoined={session.reload} />;
  if (!view.person) return <SignInPage view={view} onSignedIn={session.reload} />;
  return <SignedIn view={view} reload={session.reload} />;
}

function SignedIn({ view, reload }: { view: SessionView; reload: () => void }) {
  const { person } = view;
  const first = view.account ?? { id: '', name: 'No account' };
  const [account, chooseAccount] = useState(first);
  const { path } = usePlace();
  useEffect(() => {
    if (path === '/sign-in') go('/', 'replace');
  }, [path]);
  if (!person) return null;
  return (
    <SessionContext value={{ person, account, view, chooseAccount, reload }}>
      <Frame>
        <PageAt key={account.id} path={path} />
      </Frame>
    </SessionContext>
  );
}
