// Lists what needs attention, from every module that knows of problems.
import { type AttentionList, GatewayError, type ProvidersResponse } from '@trivium/contract';
import { readAccount, readBudgets, readKeys } from '../accounts/index.ts';
import { readDeliveries } from '../events/index.ts';
import { attentionOf } from '../reporting/index.ts';
import { logPartitions, readProviderRecords } from '../requests/index.ts';
import { readJobs } from '../transcription/index.ts';
import type { AppContext } from './context.ts';
import type { Readiness } from './readiness.ts';

interface AttentionSources {
  context: AppContext;
  readiness: Pick<Readiness, 'check'>;
  describe: () => ProvidersResponse;
}

/** The newest of each. Older ones are on their own pages. */
const limit = 100;

/** Problems that concern all accounts are shown only to operators. */
export async function readAttention(
  { context, readiness, describe }: AttentionSources,
  accountId: string,
  isOperator: boolean,
): Promise<AttentionList> {
  const ofAccount = { account_id: accountId, limit };
  const [account, { keys }, { budgets }, failed, pending, { jobs }, { records }, gateway, restMb] =
    await Promise.all([
      readAccount(context, accountId),
      readKeys(context, accountId, 'capped'),
      readBudgets(context, accountId),
      readDeliveries(context, { ...ofAccount, state: 'failed' }),
      readDeliveries(context, { ...ofAccount, state: 'pending' }),
      readJobs(context, { ...ofAccount, status: 'running' }),
      isOperator ? readProviderRecords(context) : { records: [] },
      isOperator ? troubleOf(readiness) : {},
      isOperator ? logPartitions.tooLargeRest(context.database) : undefined,
    ]);
  const unsuccessful = [...failed.deliveries, ...pending.deliveries];
  const endpoints = new Set(unsuccessful.flatMap(({ webhook_id: id }) => id ?? []));
  const succeeded = await Promise.all(
    [...endpoints].map((id) =>
      readDeliveries(context, { ...ofAccount, webhook_id: id, state: 'delivered', limit: 1 }),
    ),
  );
  const deliveries = [...unsuccessful, ...succeeded.flatMap((page) => page.deliveries)];
  const { providers } = describe();
  const ofAll = { providers, records, restMb, ...gateway };
  const facts = { account, keys, budgets, deliveries, jobs, ...ofAll };
  return { items: attentionOf(facts, context.clock.now().getTime()) };
}

async function troubleOf(readiness: Pick<Readiness, 'check'>) {
  try {
    const { clock_offset_s: clockOffsetS } = await readiness.check();
    return { clockOffsetS };
  } catch (error) {
    if (error instanceof GatewayError) return { storeTrouble: error.message };
    throw error;
  }
}
