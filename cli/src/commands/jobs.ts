// trivium jobs: reads a transcription job or its provider's document, waits for it, or lists the
// jobs.
import { JobId, jobStatuses, providerLabel, transcriberIds } from '@trivium/contract';
import type { Job, JobLine, JobSummary } from '@trivium/contract';
import { printJson, UsageError } from '../command.ts';
import type { Context, ParsedArguments } from '../command.ts';
import type { AccountJobFilters } from '@trivium/sdk';
import { asksOperator, operatorOptions } from '../operator-view.ts';
import { readJob, waitForEnd } from '../job-wait.ts';
import { limitOption, readLimited } from '../limited-list.ts';
import { choiceOption, fieldsOf } from '../options.ts';
import { readContentMode } from '../paid.ts';
import { providerOption } from '../options.ts';
import { noun, showList } from '../nouns.ts';
import { plain } from '../style.ts';
import { formatTable } from '../table.ts';
import { flagsOf, printTranscript, transcriptOptions } from './transcribe.ts';

const filters = {
  status: choiceOption('list only jobs in this state', jobStatuses),
  provider: providerOption('list only jobs of this provider (operator)', transcriberIds),
};

export const jobs = noun({
  name: 'jobs',
  group: 'Tools',
  summary: 'Read a transcription job, wait for it, or list them',
  options: {
    ...transcriptOptions,
    ...filters,
    ...operatorOptions('jobs'),
    ...limitOption,
  },
  verbs: {
    list: {
      summary: 'list the newest jobs',
      usage: '',
      example: 'jobs list --status failed --limit 10',
      run: (_subject, given, context) => listJobs(given, context),
    },
    get: {
      summary: 'show the current state of a job',
      usage: '<job id>',
      example: 'jobs get job_0198…',
      run: async (typed, given, context) => {
        const job = await readJob(checkId(typed), readContentMode(given), context);
        if (context.json) printJson(context, job);
        else context.out(formatTable(['field', 'value'], rowsOf(job), context));
        return job.status === 'failed' ? 1 : 0;
      },
    },
    wait: {
      summary: 'wait until it ends and print the transcript',
      usage: '<job id>',
      example: 'jobs wait job_0198… --srt',
      run: async (typed, given, context) => {
        const mode = readContentMode(given);
        const ended = await waitForEnd(checkId(typed), flagsOf(given), mode, context);
        printTranscript(ended, given, context);
      },
    },
    raw: {
      summary: "print the provider's document as it was received",
      usage: '<job id>',
      example: 'jobs raw job_0198…',
      run: (typed, _given, context) => printRaw(checkId(typed), context),
    },
  },
});

function checkId(typed: string): string {
  if (JobId.safeParse(typed).success) return typed;
  throw new UsageError('That is not a job id: job_ and 36 hexadecimal digits or hyphens.');
}

/** Prints the document as the provider sent it; notes about problems go to standard error. */
async function printRaw(id: string, context: Context): Promise<number> {
  const { signal } = context;
  const { text = '', headers } = await context.client().jobs.raw(id, { signal }).withResponse();
  context.out(`${text}\n`);
  const endsEarly = headers.get('x-trivium-ends-early');
  const unreadWords = headers.get('x-trivium-unread-words');
  if (endsEarly !== null) context.note(`The last word ends after ${plain(endsEarly)}.\n`);
  if (unreadWords !== null) {
    context.note(`Words that the provider reported incompletely: ${plain(unreadWords)}.\n`);
  }
  return 0;
}

/** Newest first. */
async function listJobs(given: ParsedArguments, context: Context): Promise<number> {
  const { signal } = context;
  const asked = fieldsOf(given, filters) as AccountJobFilters;
  const isOperator = asksOperator(given, context, asked.provider !== undefined);
  const lines = await readLimited<JobLine | JobSummary>(given, (limit) =>
    isOperator
      ? context
          .admin()
          .jobs.list({ ...asked, limit, account_id: given.text('account') }, { signal })
      : context.client().jobs.list({ ...asked, limit }, { signal }),
  );
  showList(context, 'jobs', lines, { heads: ['id', 'status', 'created', 'provider'], cells });
  return 0;
}

function cells({ id, status, created_at, provider, error }: JobLine | JobSummary): string[] {
  const why = error === null ? '' : `: ${error.type}`;
  return [id, status + why, created_at, providerLabel(provider)];
}

function rowsOf(job: Job): string[][] {
  const failure = job.error === null ? [] : [['error', `${job.error.type}: ${job.error.message}`]];
  const said = job.result === null ? [] : [['text', plain(job.result.text)]];
  return [
    ['id', job.id],
    ['status', `${job.status} (attempt ${job.attempt_status})`],
    ['provider', `${providerLabel(job.provider)} ${job.model ?? ''}`],
    ['created', job.created_at],
    ...(job.finished_at === null ? [] : [['finished', job.finished_at]]),
    ...failure,
    ...said,
  ];
}
