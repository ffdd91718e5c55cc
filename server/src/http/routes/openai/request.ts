// Translates the form of OpenAI's transcription API into a request of our API.
import { idOfVendor, providerNames, transcriberIds } from '@trivium/contract';
import type { TranscriberId, TranscriptionRequestInput, Warning } from '@trivium/contract';

const diarized = 'diarized_json';
const responseFormats = ['json', 'text', 'verbose_json', diarized, 'srt', 'vtt'] as const;
type ResponseFormat = (typeof responseFormats)[number];

/** One wrong field, as OpenAI's errors name it. */
export interface FieldFault {
  param: string;
  code: 'missing' | 'unsupported_value' | 'model_not_found' | 'duplicate' | 'unsupported';
  message: string;
}

export interface AskedTranscription {
  request: Omit<TranscriptionRequestInput, 'audio_url'>;
  format: ResponseFormat;
  /** The granularities that `verbose_json` lists. */
  granularities: readonly string[];
  warnings: readonly Warning[];
}

const words = 'word';
const segments = 'segment';
/** OpenAI's name for its own model. Here it means the first configured provider. */
const defaultModel = 'whisper-1';
const diarizingModel = 'gpt-4o-transcribe-diarize';
/**
 * OpenAI's other models. A program that names one of them works, and is warned that another
 * provider answers.
 */
const otherModels = [
  ...['gpt-transcribe', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe'],
  ...['gpt-4o-mini-transcribe-2025-12-15', diarizingModel],
];

/** The names by which a model can be chosen, each with its provider. */
export function modelNames(): [name: string, provider: TranscriberId | 'auto'][] {
  return [
    [defaultModel, 'auto'],
    ...transcriberIds.map((id): [string, TranscriberId] => [id, id]),
    ...transcriberIds.map((id): [string, TranscriberId] => [providerNames[id].toLowerCase(), id]),
  ];
}

export function readFields(
  given: readonly (readonly [name: string, value: string])[],
): AskedTranscription | FieldFault {
  const fields = groupFields(given);
  const twice = single.find((name) => (fields.get(name)?.length ?? 0) > 1);
  if (twice !== undefined) {
    return { param: twice, code: 'duplicate', message: 'It appears more than once.' };
  }
  const one = (name: string) => fields.get(name)?.[0]?.trim() || undefined;
  const model = one('model');
  const provider = providerOf(model);
  const format = one('response_format') ?? 'json';
  const granularities = fields.get('timestamp_granularities') ?? [segments];
  const fault =
    modelFault(model, provider) ??
    streamFault(one('stream')) ??
    formatFault(format) ??
    granularityFault(granularities);
  if (fault) return fault;
  const prompt = one('prompt');
  const keyterms = [...(fields.get('keywords') ?? []), ...termsIn(prompt ?? '')];
  const language = one('language');
  return {
    request: {
      provider: provider ?? 'auto',
      ...(language === undefined ? {} : { language }),
      ...(keyterms.length === 0 ? {} : { keyterms }),
      ...(format === diarized || model === diarizingModel ? { diarize: true } : {}),
    },
    format: format as ResponseFormat,
    granularities,
    warnings: [...modelWarning(model), ...promptWarning(prompt), ...ignored(fields)],
  };
}

const single = ['model', 'language', 'prompt', 'response_format', 'stream', 'temperature'];
const known = new Set([...single, 'timestamp_granularities', 'keywords']);

/** Lists are sent as `name[]`, once for each item. */
function groupFields(
  given: readonly (readonly [name: string, value: string])[],
): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const [sent, value] of given) {
    const name = sent.endsWith('[]') ? sent.slice(0, -2) : sent;
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return fields;
}

function providerOf(model: string | undefined): TranscriberId | 'auto' | undefined {
  if (model === undefined) return undefined;
  if (model === defaultModel || model === 'auto' || otherModels.includes(model)) return 'auto';
  const id = idOfVendor(model) ?? model;
  return transcriberIds.find((one) => one === id);
}

function modelFault(model: string | undefined, provider: unknown): FieldFault | undefined {
  const names = modelNames().map(([name]) => name);
  if (model === undefined) {
    const message = `Send a model: one of ${names.join(', ')}.`;
    return { param: 'model', code: 'missing', message };
  }
  if (provider !== undefined) return undefined;
  const excerpt = JSON.stringify(model.slice(0, maxShownChars));
  const message = `There is no model ${excerpt} here. Use one of ${names.join(', ')}.`;
  return { param: 'model', code: 'model_not_found', message };
}

const maxShownChars = 100;

function streamFault(stream: string | undefined): FieldFault | undefined {
  if (stream === undefined || stream === 'false') return undefined;
  const message = 'This gateway does not stream transcripts. Leave out stream, or set it to false.';
  return { param: 'stream', code: 'unsupported', message };
}

function formatFault(format: string): FieldFault | undefined {
  if ((responseFormats as readonly string[]).includes(format)) return undefined;
  const message = `It must be one of ${responseFormats.join(', ')}.`;
  return { param: 'response_format', code: 'unsupported_value', message };
}

function granularityFault(granularities: readonly string[]): FieldFault | undefined {
  if (granularities.every((one) => one === words || one === segments)) return undefined;
  const message = `Each must be ${words} or ${segments}.`;
  return { param: 'timestamp_granularities', code: 'unsupported_value', message };
}

const maxTerms = 1000;
const maxTermChars = 200;

/**
 * A prompt is a text or a list of names. Its parts between commas probably occur in the recording.
 */
function termsIn(prompt: string): string[] {
  return prompt
    .split(/[,;\n]/)
    .flatMap((part) => part.trim().slice(0, maxTermChars) || [])
    .slice(0, maxTerms);
}

function modelWarning(model: string | undefined): Warning[] {
  if (model === undefined || !otherModels.includes(model)) return [];
  const message = `This gateway does not have ${model}; it used auto, the first configured provider.`;
  return [{ code: 'param_approximated', param: 'model', message }];
}

function promptWarning(prompt: string | undefined): Warning[] {
  if (prompt === undefined) return [];
  const message =
    'It was split at commas and sent as keyterms, because no provider here supports a prompt.';
  return [{ code: 'param_approximated', param: 'prompt', message }];
}

function ignored(fields: ReadonlyMap<string, readonly string[]>): Warning[] {
  const hasTemperature = Number(fields.get('temperature')?.[0] ?? 0) !== 0;
  const names = [...fields.keys()].filter((name) => !known.has(name));
  return [...(hasTemperature ? ['temperature'] : []), ...names].map((param) => ({
    code: 'param_ignored' as const,
    param,
    message: 'This parameter of OpenAI has no counterpart here, so it was ignored.',
  }));
}
