// The history of the playground as a list: a click fills in the form again.
import { useState } from 'react';
import { providerName, toolTitles } from '../api/names.ts';
import { Button, Tag } from '../components/basics.tsx';
import { ago, exactUsd } from '../format.ts';
import { useSession } from '../shell/session.tsx';
import { openHistory, titleOf } from './history.ts';
import type { HistoryEntry } from './history.ts';

export interface PlaygroundHistory {
  entries: readonly HistoryEntry[];
  add: (entry: Omit<HistoryEntry, 'at'>) => void;
  clear: () => void;
}

/** The history of every tool, for the signed-in person and the selected account. */
export function useHistory(): PlaygroundHistory {
  const { person, account } = useSession();
  const history = openHistory(localStorage, person.id, account.id);
  const [entries, setEntries] = useState(history.read);
  return {
    entries,
    add: (entry) => setEntries(history.add({ ...entry, at: new Date().toISOString() })),
    clear: () => {
      history.clear();
      setEntries([]);
    },
  };
}

interface HistoryListProps {
  history: PlaygroundHistory;
  onChoose: (entry: HistoryEntry) => void;
}

export function HistoryList({ history, onChoose }: HistoryListProps) {
  const { entries, clear } = history;
  if (entries.length === 0) return null;
  return (
    <details className="history">
      <summary>History ({entries.length})</summary>
      <ol className="history-list" aria-label="Earlier requests">
        {entries.map((entry) => (
          <li key={entry.at}>
            <button type="button" className="history-entry" onClick={() => onChoose(entry)}>
              <span className="history-title">{titleOf(entry)}</span>
              <span className="small soft row">
                {toolTitles[entry.tool] ?? entry.tool}, {whoOf(entry)}, {ago(entry.at)}
                {entry.cost_usd === null ? null : <span>{exactUsd(entry.cost_usd)}</span>}
                {entry.error === null ? null : (
                  <Tag tone="warn" title={entry.error}>
                    failed
                  </Tag>
                )}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <p className="small soft">Kept in this browser only, for you and this account.</p>
      <Button kind="plain" onPress={clear}>
        Clear the history
      </Button>
    </details>
  );
}

function whoOf({ state: { way, provider, panel } }: HistoryEntry): string {
  if (way === 'fusion') return `Fusion of ${panel.length}`;
  if (way === 'beside') return `${panel.length} side by side`;
  return provider === 'auto' ? 'auto' : providerName(provider);
}
