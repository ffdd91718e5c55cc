// Live pages: asks the gateway every few seconds whether the account has something new, while the
// page is visible and the person has not paused it.
import { createContext, useContext, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { admin } from '../api/clients.ts';
import { expireData, retryFailed, usePageState } from '../api/data.ts';
import { Icon } from '../components/icon.tsx';

interface Live {
  paused: boolean;
  pause: (paused: boolean) => void;
  /** The last attempt failed. */
  disconnected: boolean;
  version: string | undefined;
  /** Counts the answers. */
  answers: number;
}

const LiveContext = createContext<Live | undefined>(undefined);

const everyMs = 3000;
const slowestMs = 15_000;
/** Without an answer after this time, the page is not live. */
const answerMs = 5000;

export function LiveUpdates({ accountId, children }: { accountId: string; children: ReactNode }) {
  const [paused, pause] = useState(false);
  const [seen, setSeen] = useState({ disconnected: false, answers: 0 } as Omit<
    Live,
    'paused' | 'pause'
  >);
  useEffect(() => {
    if (paused || accountId === '') return undefined;
    return poll(
      () => admin.activity(accountId, { timeoutMs: answerMs }),
      ({ version }) =>
        setSeen(({ answers }) => ({ version, answers: answers + 1, disconnected: false })),
      () => setSeen((before) => ({ ...before, disconnected: true })),
    );
  }, [paused, accountId]);
  useEffect(() => {
    const isFirst = seen.version === undefined;
    return () => (isFirst ? undefined : expireData());
  }, [seen.version]);
  return <LiveContext value={{ ...seen, paused, pause }}>{children}</LiveContext>;
}

/**
 * Polls regularly, less often after failures, and at once when the page is shown or the network
 * changes.
 */
function poll<T>(
  read: () => Promise<T>,
  onAnswer: (answer: T) => void,
  onFailure: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let polling = false;
  let ended = false;
  let failures = 0;
  const pollOnce = async () => {
    if (polling || ended || document.hidden) return;
    polling = true;
    clearTimeout(timer);
    try {
      const answer = await read();
      if (failures > 0) retryFailed();
      failures = 0;
      if (!ended) onAnswer(answer);
    } catch {
      failures += 1;
      if (!ended) onFailure();
    }
    polling = false;
    const waitMs = Math.min(everyMs * 2 ** Math.max(0, failures - 1), slowestMs);
    if (!ended) timer = setTimeout(pollSoon, waitMs);
  };
  const pollSoon = () => void pollOnce();
  document.addEventListener('visibilitychange', pollSoon);
  window.addEventListener('online', pollSoon);
  window.addEventListener('offline', pollSoon);
  pollSoon();
  return () => {
    ended = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', pollSoon);
    window.removeEventListener('online', pollSoon);
    window.removeEventListener('offline', pollSoon);
  };
}

function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('A live page was rendered outside of live updates.');
  return live;
}

/**
 * Calls `update` when there is something new since the page was opened, and again after a failure.
 */
export function useLiveRefresh(update: () => Promise<boolean>): void {
  const { version, answers } = useLive();
  const known = useRef(version);
  const busy = useRef(false);
  const updateNow = useEffectEvent(update);
  useEffect(() => {
    known.current ??= version;
    if (known.current === version || busy.current) return;
    busy.current = true;
    void updateNow().then((isDone) => {
      if (isDone) known.current = version;
      busy.current = false;
    });
  }, [version, answers]);
}

const liveTones: Readonly<Record<string, string | undefined>> = {
  Live: 'on',
  'Not up to date': 'bad',
  Reconnecting: 'bad',
};
const pageWords = { current: 'Live', failing: 'Not up to date', loading: 'Loading' } as const;

/** Shows whether the page is live, with a button to pause it. */
export function LiveControl() {
  const { paused, pause, disconnected } = useLive();
  const page = usePageState();
  const state = paused ? 'Paused' : disconnected ? 'Reconnecting' : pageWords[page];
  return (
    <span className="live">
      <span role="status" className={`live-state ${liveTones[state] ?? ''}`}>
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
