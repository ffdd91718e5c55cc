// Reports for operators: transfers.
import type { ToolName, TransferLine, TransferList, TransferQuery } from '@trivium/contract';
import { type Transfer, usd } from '../billing/core/index.ts';
import { listTransfers } from './store/reports.ts';
import { findBalances, findPurposes } from './store/transfer-facts.ts';
import type { Purpose } from './store/transfer-facts.ts';
import { showTransfer } from '../accounts/index.ts';
import {
  pageEnd,
  type ReadableDatabase,
  readDateRange,
  readPage,
  type Runner,
} from '../store/index.ts';

export async function readTransfers(
  { database: { reader } }: { database: ReadableDatabase },
  query: TransferQuery,
): Promise<TransferList> {
  const page = readPage(query);
  const found = await listTransfers(reader, { ...query, ...readDateRange(query) }, page);
  const transfers = await withFacts(reader, found.rows, query.account_id);
  return { transfers, ...pageEnd(found) };
}

/** With what each line was for, and in the ledger of one account the balance after it. */
async function withFacts(
  on: Runner,
  rows: readonly Transfer[],
  accountId: string | undefined,
): Promise<TransferLine[]> {
  const holds = rows.flatMap(({ hold_id }) => (hold_id === null ? [] : [hold_id]));
  const purposes = await findPurposes(on, [...new Set(holds)]);
  const ids = rows.map(({ id }) => id);
  const oldest = { id: accountId ?? '', oldest_at: rows.at(-1)?.created_at ?? 0 };
  const balances = accountId === undefined ? undefined : await findBalances(on, oldest, ids);
  return rows.map((row) => {
    const purpose = purposes.get(row.hold_id ?? '');
    const balance = balances?.get(row.id);
    return {
      ...showTransfer(row),
      ...(purpose ? showPurpose(purpose) : {}),
      ...(balance === undefined ? {} : { balance_after_usd: usd(balance) }),
    };
  });
}

const maxAskedChars = 200;

function showPurpose({ tool, provider, asked }: Purpose) {
  const shortened = asked === null ? null : asked.slice(0, maxAskedChars);
  return { tool: tool as ToolName, provider, asked: shortened };
}
