// trivium jobs: reads a transcription job, or waits for it.
import type { Job } from '@trivium/contract';
import { printJson, UsageError } from '../command.ts';
import type { Command } from '../command.ts';
import { plain } from '../style.ts';
import { formatTable } from '../table.ts';
import { printTranscript, transcriptOptions, waitWithProgress } from './transcribe.ts';

export const jobs: Command = {
  name: 'jobs',
  summary: 'Read a transcription job, or wait for it',
  usage: 'get|wait <job id>',
  words: ['get', 'wait'],
  options: { ...transcriptOptions },
  run: async (given, context) => {
    const [verb, id] = given.positionals;
    if ((verb !== 'get' && verb !== 'wait') || id === undefined) {
      throw new UsageError('Missing argument: trivium jobs get <id>, or trivium jobs wait <id>.');
    }
    if (verb === 'wait') {
      printTranscript(await waitWithProgress(id, context), given, context);
      return 0;
    }
    const job = await context.client().jobs.get(id, { signal: context.signal });
    if (context.json) printJson(context, job);
    else context.out(formatTable(['field', 'value'], rowsOf(job), context));
    return job.status === 'failed' ? 1 : 0;
  },
};

function rowsOf(job: Job): string[][] {
  const failure = job.error === null ? [] : [['error', `${job.error.type}: ${job.error.message}`]];
  const said = job.result === null ? [] : [['text', plain(job.result.text)]];
  return [
    ['id', job.id],
    ['status', `${job.status} (attempt ${job.attempt_status})`],
    ['provider', `${job.provider} ${job.model ?? ''}`],
    ['created', job.created_at],
    ...(job.finished_at === null ? [] : [['finished', job.finished_at]]),
    ...failure,
    ...said,
  ];
}
