// An action started by the user: busy while it runs, with its error kept for the page to show.
import { useState } from 'react';
import { asError } from './use-load.ts';

export interface Action<A extends unknown[]> {
  run: (...given: A) => void;
  busy: boolean;
  error: Error | undefined;
  clear: () => void;
}

export function useAction<A extends unknown[]>(
  perform: (...given: A) => Promise<unknown>,
): Action<A> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  return {
    busy,
    error,
    clear: () => setError(undefined),
    run: (...given) => {
      setBusy(true);
      setError(undefined);
      perform(...given)
        .catch((reason: unknown) => setError(asError(reason)))
        .finally(() => setBusy(false));
    },
  };
}
