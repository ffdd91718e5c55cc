// OpenAI's endpoints in the OpenAPI document.
import * as examples from './examples.ts';
import { postParameters, replayedHeader, webhookParameter } from './openapi-headers.ts';
import { json, operation, textHeader } from './openapi-operation.ts';
import type { Endpoint } from './openapi-operation.ts';

export function openAiPaths(): Record<string, object> {
  const { responses, ...described } = operation(
    'transcription',
    'Transcribe a file in the shape of OpenAI',
    transcribe,
    { ...replayedHeader, ...toldInHeaders },
  ) as { responses: Record<string, object> };
  return {
    '/v1/audio/transcriptions': {
      post: {
        ...described,
        parameters: [...postParameters, webhookParameter],
        requestBody: formBody,
        responses: withOpenAiErrors(responses),
      },
    },
    '/v1/models': { get: listModels() },
  };
}

const text = (description: string) => ({ type: 'string', description });

const toldInHeaders = {
  'x-trivium-job-id': textHeader('The job of the request.'),
  'x-trivium-provider': textHeader('The provider that served.'),
  'x-trivium-cost-usd': textHeader('What it cost.'),
  'x-trivium-warnings': textHeader('A JSON list of warnings.'),
};

const formBody = {
  required: true,
  description: 'The form of OpenAI, with the file in any place.',
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file', 'model'],
        properties: {
          file: { type: 'string', format: 'binary', description: 'Audio or video.' },
          model: text('whisper-1 for the first provider configured, an id, or a vendor.'),
          language: text('If omitted, the provider detects it.'),
          prompt: text('Its parts between commas are sent as keyterms.'),
          response_format: {
            ...text('The format of the response. Default: json.'),
            enum: ['json', 'text', 'verbose_json', 'srt', 'vtt'],
          },
          'timestamp_granularities[]': {
            type: 'array',
            items: { type: 'string', enum: ['word', 'segment'] },
            description: 'What verbose_json lists. Default: segment.',
          },
          stream: text('Only false.'),
          temperature: text('Ignored with a warning, unless it is 0.'),
        },
      },
    },
  },
};

const transcribe: Endpoint = {
  id: 'createOpenAiTranscription',
  description:
    'Uploads the file, runs a job on it and waits for its end. The header x-trivium-job-id names ' +
    'the job, which goes on when the caller leaves. Under an Idempotency-Key, the same file and ' +
    'fields get the same job again. The formats text, srt and vtt are plain text.',
  success: {
    status: 200,
    meaning: 'The transcript.',
    schema: 'OpenAiTranscription',
    examples: { json: { value: examples.openAiTranscription } },
  },
  failures: [400, 401, 402, 404, 409, 413, 429, 500, 502, 503],
};

const models: Endpoint = {
  id: 'listOpenAiModels',
  description: 'Returns the names that model may have, in the shape of OpenAI.',
  success: {
    status: 200,
    meaning: 'The names.',
    schema: 'OpenAiModelList',
    examples: { models: { value: examples.openAiModels } },
  },
  failures: [401, 429, 500],
};

function listModels(): object {
  const { responses, ...described } = operation(
    'transcription',
    'List the models in the shape of OpenAI',
    models,
  ) as { responses: Record<string, object> };
  return { ...described, responses: withOpenAiErrors(responses) };
}

function withOpenAiErrors(responses: Record<string, object>): Record<string, object> {
  const content = json('OpenAiError', { error: { value: examples.openAiError } });
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) =>
      Number(status) < 400 ? [status, response] : [status, { ...response, content }],
    ),
  );
}
