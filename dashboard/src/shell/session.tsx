// Who is signed in and which account is looked at, for every page to ask.
import { createContext, useContext } from 'react';
import type { Person, SessionView } from '@trivium/contract';

export interface Session {
  person: Person;
  account: { id: string; name: string };
  view: SessionView;
  chooseAccount: (account: { id: string; name: string }) => void;
  reload: () => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('A page was shown to somebody who is not signed in.');
  return session;
}

export function useIsOperator(): boolean {
  return useSession().person.role === 'operator';
}
