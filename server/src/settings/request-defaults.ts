// Parameters that the operator sets for requests that omit them, by tool.
import {
  addKnownFields,
  ExtractRequest,
  issuesOf,
  SearchRequest,
  TranscriptionRequest,
} from '@trivium/contract';
import { z } from 'zod';

type Defaults = Readonly<Record<string, unknown>>;

/**
 * Parameters without a default: each request sets its own subject, the order of `auto` chooses the
 * provider, and the caller decides whether the request may be adjusted.
 */
const own = ['query', 'urls', 'audio_url', 'provider', 'strict', 'offset'];

export const defaultVariables = {
  TRIVIUM_DEFAULTS_SEARCH: defaultsOf(SearchRequest, { query: 'x' }),
  TRIVIUM_DEFAULTS_EXTRACT: defaultsOf(ExtractRequest, { urls: ['https://page.example/'] }),
  TRIVIUM_DEFAULTS_TRANSCRIPTION: defaultsOf(TranscriptionRequest, {
    audio_url: 'https://page.example/recording.wav',
  }),
};

export function readDefaults(v: z.output<z.ZodObject<typeof defaultVariables>>) {
  return {
    search: v.TRIVIUM_DEFAULTS_SEARCH,
    extract: v.TRIVIUM_DEFAULTS_EXTRACT,
    transcription: v.TRIVIUM_DEFAULTS_TRANSCRIPTION,
  };
}

/** Kept as given. A request is validated as a whole, including its defaults. */
function defaultsOf(schema: z.ZodType, subject: object) {
  const read = z.string().transform((text, context): Defaults => {
    const given = readObject(text);
    if (given === undefined) {
      context.addIssue('must be a JSON object of parameters, such as {"max_results":5}');
      return z.NEVER;
    }
    const refused = Object.keys(given).find((name) => own.includes(name));
    if (refused !== undefined) {
      context.addIssue(`must not set ${refused}, which each request sets itself`);
      return z.NEVER;
    }
    const { error } = schema.safeParse({ ...subject, ...given }, addKnownFields);
    if (error === undefined) return given;
    const [issue] = issuesOf(error);
    context.addIssue(`is not valid: ${issue?.path}: ${issue?.message.replace(/\.$/, '')}`);
    return z.NEVER;
  });
  return read
    .optional()
    .describe(
      'default parameters of requests, as JSON; see ' +
        '[Default parameters](settings.md#default-parameters)',
    );
}

function readObject(text: string): Defaults | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Defaults) : undefined;
  } catch {
    return undefined;
  }
}
