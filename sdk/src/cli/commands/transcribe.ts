// trivium transcribe: submits a recording, shows how it goes, prints the transcript.
import type { TranscriptionRequestInput } from '@trivium/contract';
import type { CompletedJob } from '../../jobs.ts';
import { toSrt, toVtt } from '../../subtitles.ts';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context, Given } from '../command.ts';
import { formatUsd, paid_options, printWarnings, readPaid } from '../paid.ts';
import { showProgress } from '../progress.ts';
import { plain } from '../style.ts';

export const transcript_options = {
  srt: { type: 'boolean', describe: 'print subtitles as SRT' },
  vtt: { type: 'boolean', describe: 'print subtitles as WebVTT' },
  text: { type: 'boolean', describe: 'print the text alone, in a pipe too' },
} as const;

export const transcribe: Command = {
  name: 'transcribe',
  summary: 'Turn a recording into text',
  usage: '<https address of the recording>',
  options: {
    provider: {
      type: 'string',
      short: 'p',
      describe: 'who listens',
      choices: ['auto', 'stt_a', 'stt_b', 'stt_c'],
    },
    language: {
      type: 'string',
      value: 'tag',
      describe: 'such as en or pt-BR; detected unless given',
    },
    diarize: { type: 'boolean', describe: 'label who speaks' },
    keyterm: { type: 'string', value: 'word', describe: 'a word to listen for; may be repeated' },
    'no-timestamps': { type: 'boolean', describe: 'leave out the times of words' },
    'no-wait': { type: 'boolean', describe: 'print the job and do not wait for its end' },
    ...transcript_options,
    ...paid_options,
  },
  run: async (given, context) => {
    const [audio_url] = given.positionals;
    if (audio_url === undefined) {
      throw new UsageError('Name a recording: trivium transcribe https://….');
    }
    // Refused before it is paid for.
    if (given.flag('no-timestamps') && wantsSubtitles(given)) throw new UsageError(NO_TIMES);
    const { call, body } = readPaid(given, context);
    const request = { audio_url, ...askOf(given), ...body } as TranscriptionRequestInput;
    const accepted = await context.client().transcribe(request, call);
    printWarnings(context, accepted.warnings);
    if (given.flag('no-wait')) {
      if (context.json) printJson(context, accepted);
      else context.out(`${accepted.id}\n`);
      return;
    }
    printTranscript(await waitShowing(accepted.id, context), given, context);
  },
};

/** Waits for a job while a line tells where it stands. */
export async function waitShowing(id: string, context: Context): Promise<CompletedJob> {
  const progress = showProgress(context, id);
  try {
    const { signal } = context;
    return await context.client().jobs.wait(id, { signal, on_progress: progress.update });
  } finally {
    progress.end();
  }
}

export function printTranscript(job: CompletedJob, given: Given, context: Context): void {
  const { result } = job;
  const { words, text, usage } = result;
  if (wantsSubtitles(given)) {
    if (words === undefined) throw new UsageError(NO_TIMES);
    context.out(given.flag('srt') ? toSrt(words) : toVtt(words));
  } else if (context.json && !given.flag('text')) {
    printJson(context, job);
  } else {
    context.out(`${plain(text)}\n`);
  }
  const cost = usage === undefined ? '' : `, ${formatUsd(usage.cost_usd)} USD`;
  const length = result.duration_seconds;
  const lasted = length === undefined ? '' : `, ${length} s of audio`;
  if (context.live) context.note(`${context.style.dim(`${job.provider}${lasted}${cost}`)}\n`);
}

const NO_TIMES = 'Subtitles need the times of words: leave out --no-timestamps.';

function wantsSubtitles({ flag }: Given): boolean {
  return flag('srt') || flag('vtt');
}

function askOf({ text, texts, flag }: Given): object {
  return {
    provider: text('provider'),
    language: text('language'),
    keyterms: texts('keyterm'),
    ...(flag('diarize') ? { diarize: true } : {}),
    ...(flag('no-timestamps') ? { timestamps: 'none' } : {}),
  };
}
