// Signing out, in this browser or everywhere.
import { revokeSessions, signOut } from '../api/session-calls.ts';
import { useAction } from '../api/use-action.ts';
import type { Action } from '../api/use-action.ts';
import { useSession } from './session.tsx';

export function useLeave(): Action<[everywhere: boolean]> {
  const { signedOut } = useSession();
  return useAction(async (everywhere: boolean) => {
    if (everywhere) await revokeSessions();
    await signOut().catch(() => undefined);
    signedOut();
  });
}
