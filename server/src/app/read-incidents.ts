// Lists and changes incidents, with the limits that are reached now, from every module that knows of
// limits.
import { GatewayError } from '@trivium/contract';
import { readAccount, readBudgets, readKeys } from '../accounts/index.ts';
import { findLastMovement } from '../billing/index.ts';
import type { HttpContext } from '../http/index.ts';
import {
  changeIncident,
  type Condition,
  conditionsOf,
  readIncidents,
  readIncidentVersion,
} from '../incidents/index.ts';
import { logPartitions } from '../requests/index.ts';
import { readJobs } from '../transcription/index.ts';
import type { AppContext } from './context.ts';
import type { Readiness } from './readiness.ts';

type Checks = Pick<Readiness, 'check'>;

/** How many running jobs are compared with their deadlines. */
const limit = 100;

export function incidentsFor(context: AppContext, readiness: Checks): HttpContext['incidents'] {
  const readerOf = (account_id: string | undefined, isOperator: boolean) => ({
    account_id,
    isOperator,
    conditions: async (): Promise<Condition[]> =>
      account_id === undefined ? [] : readConditions(context, readiness, account_id, isOperator),
  });
  return {
    list: ({ account_id, ...query }, isOperator) =>
      readIncidents(context, query, readerOf(account_id, isOperator)),
    change: ({ id, account_id, isOperator }, by, change) =>
      changeIncident(context, by, id, change, readerOf(account_id, isOperator)),
    version: (accountId, isOperator) =>
      readIncidentVersion(context.database.reader, accountId, isOperator),
  };
}

/** What concerns all accounts is only for operators. */
async function readConditions(
  context: AppContext,
  readiness: Checks,
  accountId: string,
  isOperator: boolean,
): Promise<Condition[]> {
  const running = { account_id: accountId, limit, status: 'running' } as const;
  const { database, clock } = context;
  const [account, { keys }, { budgets }, { jobs }, movedAt, gateway, restMb] = await Promise.all([
    readAccount(context, accountId),
    readKeys(context, accountId, 'capped'),
    readBudgets(context, accountId),
    readJobs(context, running),
    findLastMovement(database.reader, accountId),
    isOperator ? troubleOf(readiness) : {},
    isOperator ? logPartitions.tooLargeRest(database) : undefined,
  ]);
  const facts = { account, keys, budgets, jobs, movedAt, restMb, ...gateway };
  return conditionsOf(facts, clock.now().getTime());
}

async function troubleOf(readiness: Checks) {
  try {
    const { clock_offset_s: clockOffsetS } = await readiness.check();
    return { clockOffsetS };
  } catch (error) {
    if (error instanceof GatewayError) return { storeTrouble: error.message };
    throw error;
  }
}
