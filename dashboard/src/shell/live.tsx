// Live pages: asks the gateway every few seconds whether the account has something new, while the
// page is visible and the person has not paused it.
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { Activity } from '@trivium/contract';
import { requestJson, withQuery } from '../api/http.ts';
import { Icon } from '../components/icon.tsx';

interface Live {
  paused: boolean;
  pause: (paused: boolean) => void;
  /** The last attempt failed. */
  lost: boolean;
  version: string | undefined;
  /** Counts the answers. */
  answers: number;
}

const LiveContext = createContext<Live | undefined>(undefined);

const everyMs = 3000;
const slowestMs = 30_000;

export function LiveUpdates({ accountId, children }: { accountId: string; children: ReactNode }) {
  const [paused, pause] = useState(false);
  const [seen, setSeen] = useState({ lost: false, answers: 0 } as Omit<Live, 'paused' | 'pause'>);
  useEffect(() => {
    if (paused || accountId === '') return undefined;
    const path = withQuery('/admin/v1/activity', { account_id: accountId });
    return watch(
      () => requestJson<Activity>('GET', path),
      ({ version }) => setSeen(({ answers }) => ({ version, answers: answers + 1, lost: false })),
      () => setSeen((before) => ({ ...before, lost: true })),
    );
  }, [paused, accountId]);
  return <LiveContext value={{ ...seen, paused, pause }}>{children}</LiveContext>;
}

/** Looks again and again, more slowly after failures; at once when the page or network changes. */
function watch<T>(
  look: () => Promise<T>,
  onAnswer: (answer: T) => void,
  onFailure: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looking = false;
  let ended = false;
  let failures = 0;
  const lookOnce = async () => {
    if (looking || ended || document.hidden) return;
    looking = true;
    clearTimeout(timer);
    try {
      const answer = await look();
      failures = 0;
      if (!ended) onAnswer(answer);
    } catch {
      failures += 1;
      if (!ended) onFailure();
    }
    looking = false;
    const waitMs = Math.min(everyMs * 2 ** Math.max(0, failures - 1), slowestMs);
    if (!ended) timer = setTimeout(lookSoon, waitMs);
  };
  const lookSoon = () => void lookOnce();
  document.addEventListener('visibilitychange', lookSoon);
  window.addEventListener('online', lookSoon);
  window.addEventListener('offline', lookSoon);
  lookSoon();
  return () => {
    ended = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', lookSoon);
    window.removeEventListener('online', lookSoon);
    window.removeEventListener('offline', lookSoon);
  };
}

function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('A live page was rendered outside of live updates.');
  return live;
}

/** Calls `update` when something is new since the page was opened; a failure is tried again. */
export function useNews(update: () => Promise<unknown>): void {
  const { version, answers } = useLive();
  const known = useRef(version);
  const busy = useRef(false);
  useEffect(() => {
    known.current ??= version;
    if (known.current === version || busy.current) return;
    busy.current = true;
    update()
      .then(
        () => (known.current = version),
        () => undefined,
      )
      .finally(() => (busy.current = false));
    // The function is a new one on every render.
  }, [version, answers]);
}

/** Says whether the page is live, and pauses it. */
export function LiveControl() {
  const { paused, pause, lost } = useLive();
  const state = paused ? 'Paused' : lost ? 'Reconnecting' : 'Live';
  return (
    <span className="live">
      <span role="status" className={`live-state ${state === 'Live' ? 'on' : ''}`}>
        {state}
      </span>
      <button
        type="button"
        className="icon-button"
        title={paused ? 'Resume live updates' : 'Pause live updates'}
        aria-label={paused ? 'Resume live updates' : 'Pause live updates'}
        onClick={() => pause(!paused)}
      >
        <Icon name={paused ? 'play' : 'pause'} />
      </button>
    </span>
  );
}
