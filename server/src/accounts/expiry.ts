// What expires of accounts: answers, codes, tokens, sessions and invitations.
import { dayMs } from '@trivium/contract/durations';
import type { Expiring } from '../store/index.ts';
import { expiredAnswers } from './store/admin-answers.ts';
import { expiredCodes, expiredRefreshTokens } from './store/oauth.ts';
import { endedInvites } from './store/people.ts';
import { deleteExpiredSessions } from './store/sign-in-tables.ts';

export const accountExpiry: readonly Expiring[] = [
  expiredAnswers,
  expiredCodes,
  expiredRefreshTokens,
  {
    kind: 'sessions',
    keptMs: dayMs,
    step: (database, { now }) => deleteExpiredSessions(database, new Date(now).toISOString()),
  },
  endedInvites,
];
