// State that this tab keeps while the person visits other pages or reloads the page.
import { useState } from 'react';

const prefix = 'trivium-kept ';
const ownerKey = 'trivium-kept-for';

/** Deletes the state that another person left in this tab. */
export function keepStateFor(personId: string): void {
  if (sessionStorage.getItem(ownerKey) === personId) return;
  const left = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));
  for (const key of left) sessionStorage.removeItem(key);
  sessionStorage.setItem(ownerKey, personId);
}

export function useStoredState<T>(name: string, initial: () => T): [T, (value: T) => void] {
  const key = prefix + name;
  const [value, setValue] = useState<T>(() => read<T>(key) ?? initial());
  const keep = (next: T) => {
    setValue(next);
    storeState(name, next);
  };
  return [value, keep];
}

/** For a component that is not on the page yet. `undefined` deletes the value. */
export function storeState(name: string, value: unknown): void {
  const key = prefix + name;
  try {
    sessionStorage.removeItem(key);
    if (value !== undefined) sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // If the browser's storage is full, the state lasts as long as the page.
  }
}

function read<T>(key: string): T | undefined {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}
