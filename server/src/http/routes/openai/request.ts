// Translates the form of OpenAI's transcription API into a request of our API.
import { GatewayError, idOfVendor, providerNames, transcriberIds } from '@trivium/contract';
import type { TranscriberId, TranscriptionRequestInput, Warning } from '@trivium/contract';
import { ignoredParam } from '../compat/shape.ts';

const diarized = 'diarized_json';
const responseFormats = ['json', 'text', 'verbose_json', diarized, 'srt', 'vtt'] as const;
type ResponseFormat = (typeof responseFormats)[number];

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
/** OpenAI's other models. A request for one of them works, with a warning. */
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

/** Throws for a wrong field, with the code that OpenAI's errors have. */
export function readFields(
  given: readonly (readonly [name: string, value: string])[],
): AskedTranscription {
  const fields = groupFields(given);
  const twice = single.find((name) => (fields.get(name)?.length ?? 0) > 1);
  if (twice !== undefined) throw wrong(twice, 'duplicate', 'It appears more than once.');
  const one = (name: string) => fields.get(name)?.[0]?.trim() || undefined;
  const model = one('model');
  const provider = providerOf(model);
  if (![undefined, 'false'].includes(one('stream'))) {
    const message =
      'This gateway does not stream transcripts. Leave out stream, or set it to false.';
    throw wrong('stream', 'unsupported', message);
  }
  const format = responseFormats.find((name) => name === (one('response_format') ?? 'json'));
  if (!format) {
    const message = `It must be one of ${responseFormats.join(', ')}.`;
    throw wrong('response_format', 'unsupported_value', message);
  }
  const granularities = fields.get('timestamp_granularities') ?? [segments];
  if (!granularities.every((name) => name === words || name === segments)) {
    const message = `Each must be ${words} or ${segments}.`;
    throw wrong('timestamp_granularities', 'unsupported_value', message);
  }
  const prompt = one('prompt');
  const keyterms = [...(fields.get('keywords') ?? []), ...termsIn(prompt ?? '')];
  const language = one('language');
  return {
    request: {
      provider,
      ...(language === undefined ? {} : { language }),
      ...(keyterms.length === 0 ? {} : { keyterms }),
      ...(format === diarized || model === diarizingModel ? { diarize: true } : {}),
    },
    format,
    granularities,
    warnings: warningsOf(fields, model, prompt),
  };
}

function wrong(param: string, code: string, message: string): GatewayError {
  const isUnknown = code === 'model_not_found';
  const shown = isUnknown ? message : `${param}: ${message}`;
  return new GatewayError(isUnknown ? 'not_found' : 'invalid_request', shown, {
    issues: [{ path: param, code, message: shown }],
  });
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

function providerOf(model: string | undefined): TranscriberId | 'auto' {
  const names = modelNames().map(([name]) => name);
  if (model === undefined) {
    throw wrong('model', 'missing', `Send a model: one of ${names.join(', ')}.`);
  }
  if (model === defaultModel || model === 'auto' || otherModels.includes(model)) return 'auto';
  const id = idOfVendor(model) ?? model;
  const provider = transcriberIds.find((one) => one === id);
  if (provider) return provider;
  const excerpt = JSON.stringify(model.slice(0, maxShownChars));
  const message = `There is no model ${excerpt} here. Use one of ${names.join(', ')}.`;
  throw wrong('model', 'model_not_found', message);
}

const maxShownChars = 100;

const maxTerms = 1000;
const maxTermChars = 200;

/** The parts of a prompt between commas probably occur in the recording. */
function termsIn(prompt: string): string[] {
  return prompt
    .split(/[,;\n]/)
    .flatMap((part) => part.trim().slice(0, maxTermChars) || [])
    .slice(0, maxTerms);
}

function warningsOf(
  fields: ReadonlyMap<string, readonly string[]>,
  model: string | undefined,
  prompt: string | undefined,
): Warning[] {
  const warnings: Warning[] = [];
  const approximate = (param: string, message: string) =>
    warnings.push({ code: 'param_approximated', param, message });
  if (model !== undefined && otherModels.includes(model)) {
    const used = 'it used auto, the first configured provider.';
    approximate('model', `This gateway does not have ${model}; ${used}`);
  }
  if (prompt !== undefined) {
    const reason = 'because no provider here supports a prompt.';
    approximate('prompt', `It was split at commas and sent as keyterms, ${reason}`);
  }
  const hasTemperature = Number(fields.get('temperature')?.[0] ?? 0) !== 0;
  const names = [...fields.keys()].filter((name) => !known.has(name));
  const ignored = [...(hasTemperature ? ['temperature'] : []), ...names];
  return [...warnings, ...ignored.map((param) => ignoredParam('OpenAI', param))];
}
