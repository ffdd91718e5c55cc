// An action started by the user: busy while it runs, with its error kept for the page to show.
import { useRef, useState } from 'react';
import { newIdempotencyKey } from '@trivium/sdk';
import { changesShown } from './data.ts';
import { asError, issuesOf } from './errors.ts';

export interface Action<A extends unknown[]> {
  /** Does nothing while an earlier run is under way. */
  run: (...given: A) => void;
  busy: boolean;
  error: Error | undefined;
  clear: () => void;
}

/** `onDone` is called when what the action has changed is shown, so that a form can close. */
export function useAction<A extends unknown[]>(
  perform: (...given: A) => Promise<unknown>,
  onDone?: (...given: A) => void,
): Action<A> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const running = useRef(false);
  return {
    busy,
    error,
    clear: () => setError(undefined),
    run: (...given) => {
      // Two clicks can arrive before the button is drawn as busy.
      if (running.current) return;
      running.current = true;
      setBusy(true);
      setError(undefined);
      perform(...given)
        .then(() => onDone && changesShown().then(() => onDone(...given)))
        .catch((reason: unknown) => setError(asError(reason)))
        .finally(() => {
          running.current = false;
          setBusy(false);
        });
    },
  };
}

/** A new key each time a form is opened, so that a repeated submission counts once. */
export function useIdempotencyKey(): string {
  const [key] = useState(newIdempotencyKey);
  return key;
}

export interface FieldErrors {
  /** What is wrong with a field. */
  of: (path: string) => string | undefined;
  /** The error, unless all of its issues are shown at fields. */
  rest: Error | undefined;
}

/** Assigns the issues of an error to the fields of a form, by path. */
export function fieldErrorsOf(error: Error | undefined, fields: readonly string[]): FieldErrors {
  const issues = issuesOf(error);
  const shown =
    issues.length > 0 && issues.every(({ path }) => fields.some((field) => isWithin(path, field)));
  return {
    of: (field) => issues.find(({ path }) => isWithin(path, field))?.message,
    rest: shown ? undefined : error,
  };
}

/** The field itself, or one of its entries. */
function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}
