// Finds what a person names: by a whole id, or keys, accounts and people by a part of a name.
import type { FindQuery, Found, FoundList } from '@trivium/contract';
import { findNamed } from '../accounts/index.ts';
import { readJobs } from '../transcription/index.ts';
import type { ReportingContext } from './context.ts';
import { findRequest } from './request-log.ts';

const requestId = /^(?:req|srch|ext|job)_\S+$/;
const maxNameChars = 100;

/** Members find only what belongs to their account, and no other people. */
export async function findAnything(
  { database }: Pick<ReportingContext, 'database'>,
  query: FindQuery,
  isOperator: boolean,
): Promise<FoundList> {
  const kinds = isOperator ? (['account', 'key', 'person'] as const) : (['key'] as const);
  const named = kinds.map((kind) => findNamed(database.reader, kind, query));
  const found = await Promise.all([findById({ database }, query), ...named]);
  return { found: found.flat() };
}

async function findById(
  { database }: Pick<ReportingContext, 'database'>,
  { text: id, account_id }: FindQuery,
): Promise<Found[]> {
  if (!requestId.test(id)) return [];
  const [request, { jobs }] = await Promise.all([
    findRequest(database.reader, { id, account_id }),
    readJobs({ database }, { id, account_id, limit: 1 }),
  ]);
  return [
    ...(request
      ? [{ kind: 'request', ...idOf(request), name: nameOf(request.asked) } as const]
      : []),
    ...jobs.map(
      (job) => ({ kind: 'job', ...idOf(job), name: job.file_name ?? job.audio_host }) as const,
    ),
  ];
}

function idOf({ id, account_id }: { id: string; account_id: string }) {
  return { id, account_id };
}

function nameOf(asked: string | null): string | null {
  return asked === null ? null : asked.slice(0, maxNameChars);
}
