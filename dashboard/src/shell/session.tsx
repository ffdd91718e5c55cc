// The session context: the signed-in person and the selected account.
import { createContext, useContext } from 'react';
import type { ReactNode } from 'react';
import type { Account, Person, SessionView } from '@trivium/contract';
import type { Loaded } from '../api/data.ts';

export interface Session {
  person: Person;
  account: { id: string; name: string };
  /** Its balance, limits and policy, loaded once for all pages. */
  details: Loaded<Account>;
  view: SessionView;
  chooseAccount: (id: string) => void;
  /** The person has signed out. */
  signedOut: () => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('A page was rendered without a session.');
  return session;
}

export function useIsOperator(): boolean {
  return useSession().person.role === 'operator';
}

/** False for a viewer, who can only read. */
export function useMayChange(): boolean {
  return useContext(SessionContext)?.person.role !== 'viewer';
}

/** Renders its children only for people who may make changes. */
export function ForChanges({ children }: { children: ReactNode }) {
  return useMayChange() ? children : null;
}
