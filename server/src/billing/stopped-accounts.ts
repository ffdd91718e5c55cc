// Accounts that cannot spend because a rule was broken for them: a defect that an operator must
// investigate. Other accounts are served as usual. A restart of the gateway unblocks them.
import { GatewayError } from '@trivium/contract';
import { readBrokenRule, type Rule } from './core/book-rules.ts';
import type { Log } from '../platform/log.ts';

export type StoppedAccounts = ReturnType<typeof makeStoppedAccounts>;

export function makeStoppedAccounts(log: Pick<Log, 'error'>, onBroken: (rule: Rule) => void) {
  const stopped = new Set<string>();
  return {
    /** Stops the account if the error, or the reason stored in a journal row, is a broken rule. */
    note: (error: unknown): void => {
      const broken = readBrokenRule(error instanceof Error ? error.message : String(error));
      if (!broken) return;
      stopped.add(broken.account_id);
      onBroken(broken.rule);
      log.error(
        { err: error, ...broken },
        'a write would break a rule of the ledger: nothing was written, and the account ' +
          'cannot spend until the gateway is restarted; run the audit, and report this',
      );
    },
    /** Throws if the account is stopped. */
    check: (accountId: string): void => {
      if (stopped.size === 0 || !stopped.has(accountId)) return;
      throw new GatewayError(
        'provider_not_available',
        'The gateway has stopped the payments of this account, because its ledger does not add ' +
          'up. No provider was called, and nothing was charged. The operator can find the reason ' +
          'in the log.',
        undefined,
        { status: 503 },
      );
    },
    count: () => stopped.size,
  };
}
