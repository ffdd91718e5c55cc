// The session context: the signed-in person and the selected account.
import { createContext, useContext } from 'react';
import type { Person, SessionView } from '@trivium/contract';

export interface Session {
  person: Person;
  account: { id: string; name: string };
  view: SessionView;
  chooseAccount: (id: string) => void;
  reload: () => void;
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
