// A list that is read page by page: the gateway's cursor, kept as a trail to go back on.
import { useState } from 'react';
import { Button } from './basics.tsx';

export interface Trail {
  cursor: string | undefined;
  forward: (next: string) => void;
  back: () => void;
  /** True on the first page. */
  first: boolean;
}

/** A change of `of`, such as of the filters, begins again at the first page. */
export function useTrail(of: string): Trail {
  const [state, setState] = useState<{ of: string; trail: string[] }>({ of, trail: [] });
  const trail = state.of === of ? state.trail : [];
  return {
    cursor: trail.at(-1),
    forward: (next) => setState({ of, trail: [...trail, next] }),
    back: () => setState({ of, trail: trail.slice(0, -1) }),
    first: trail.length === 0,
  };
}

export function Pager({ trail, next }: { trail: Trail; next: string | null }) {
  if (trail.first && next === null) return null;
  return (
    <nav className="row" aria-label="Pages of the list">
      <Button disabled={trail.first} onPress={trail.back}>
        Newer
      </Button>
      <Button disabled={next === null} onPress={() => next !== null && trail.forward(next)}>
        Older
      </Button>
    </nav>
  );
}
