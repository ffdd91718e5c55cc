// trivium transcribe: uploads a recording if it is a file, submits it, shows its progress, and
// prints the transcript.
import { providerLabel, transcriberIds } from '@trivium/contract';
import type { TranscriptionRequestInput } from '@trivium/contract';
import { toSrt, toVtt } from '@trivium/sdk';
import type { CompletedJob } from '@trivium/sdk';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import { announce, submit, waitForEnd } from '../job-wait.ts';
import { uploadFile } from '../upload-file.ts';
import { fieldsOf, flagOption, textOption } from '../options.ts';
import { contentOption, formatUsd, paidOptions, printWarnings, readPaid } from '../paid.ts';
import { providerOption } from '../options.ts';
import { plain } from '../style.ts';

export const transcriptOptions = {
  srt: flagOption('print subtitles as SRT'),
  vtt: flagOption('print subtitles as WebVTT'),
  text: flagOption('print only the text, even in a pipe'),
  ...contentOption,
};

const fieldOptions = {
  provider: providerOption('the provider', ['auto', ...transcriberIds], { short: 'p' }),
  language: textOption('tag', 'such as en or pt-BR; detected by default'),
  diarize: flagOption('label the speakers'),
  keyterm: textOption('word', 'a word that the recording is likely to contain; may be repeated', {
    field: 'keyterms',
    multiple: true,
  }),
};

export const transcribe: Command = {
  name: 'transcribe',
  group: 'Tools',
  summary: 'Turn a recording into text',
  usage: '<https URL of the recording, or a file>',
  examples: [
    'transcribe talk.mp3 --diarize',
    'transcribe https://recordings.example/interview.wav --srt',
  ],
  working: 'Submitting the recording',
  options: {
    ...fieldOptions,
    'no-timestamps': flagOption('leave out the time of each word'),
    webhook: textOption('url', 'send a signed event to this address when the job ends'),
    'no-wait': flagOption('print the job and do not wait until it ends'),
    ...transcriptOptions,
    ...paidOptions,
  },
  run: async (given, context) => {
    const [recording] = given.positionals;
    if (recording === undefined) {
      throw new UsageError('Name a recording: trivium transcribe https://…, or a file.');
    }
    // Fail before the job costs anything.
    if (given.flag('no-timestamps') && wantsSubtitles(given)) throw new UsageError(noTimes);
    const {
      call: { contentMode, ...call },
      body,
    } = readPaid(given, context);
    if (given.flag('no-wait') && contentMode !== undefined) throw new UsageError(noTranscript);
    const request = {
      audio_url: await addressOf(recording, context),
      ...transcriptionFields(given),
      ...body,
    } as TranscriptionRequestInput;
    const webhook = given.text('webhook');
    const accepted = await submit(context, request, { ...call, webhook });
    if (given.flag('no-wait')) {
      if (!context.json) printWarnings(context, accepted.warnings);
      if (context.json) printJson(context, accepted);
      else context.out(`${accepted.id}\n`);
      return;
    }
    announce(context, accepted);
    const ended = await waitForEnd(accepted.id, flagsOf(given), contentMode, context);
    printTranscript(ended, given, context);
  },
};

/** A file is uploaded; anything that looks like an address is checked by the gateway. */
async function addressOf(recording: string, context: Context): Promise<string> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(recording)) return recording;
  const { audio_url } = await uploadFile(recording, context);
  context.status('Submitting the recording');
  return audio_url;
}

/** The options with which `jobs wait` prints the same as this command. */
export function flagsOf({ flag, text }: ParsedArguments): string[] {
  const withValue = (name: string) => {
    const value = text(name);
    return value === undefined ? [] : [`--${name}`, value];
  };
  return [
    ...['srt', 'vtt', 'text', 'json'].filter(flag).map((name) => `--${name}`),
    ...withValue('content'),
    ...withValue('url'),
  ];
}

export function printTranscript(job: CompletedJob, given: ParsedArguments, context: Context): void {
  const { result } = job;
  const { words, text, usage } = result;
  if (wantsSubtitles(given)) {
    if (words === undefined) throw new UsageError(noTimes);
    context.out(plain(given.flag('srt') ? toSrt(words) : toVtt(words)));
  } else if (context.json && !given.flag('text')) {
    printJson(context, job);
  } else {
    context.out(`${plain(text)}\n`);
  }
  const cost = usage === undefined ? '' : `, ${formatUsd(usage.cost_usd)} USD`;
  const length = result.duration_seconds;
  const lasted = length === undefined ? '' : `, ${length} s of audio`;
  const served = `${providerLabel(job.provider)}${lasted}${cost}`;
  if (context.live) context.note(`${context.style.dim(served)}\n`);
}

const noTimes = 'Subtitles need the time of each word: leave out --no-timestamps.';

const noTranscript =
  '--content checks the transcript, which --no-wait does not print: give it to trivium jobs get or wait.';

function wantsSubtitles({ flag }: ParsedArguments): boolean {
  return flag('srt') || flag('vtt');
}

/** The request fields that the options of a transcription set. */
export function transcriptionFields(given: ParsedArguments): object {
  const timestamps = given.flag('no-timestamps') ? { timestamps: 'none' } : {};
  return { ...fieldsOf(given, fieldOptions), ...timestamps };
}
