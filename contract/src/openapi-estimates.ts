// The estimates in the OpenAPI document: one for each tool, with the request of that tool.
import * as examples from './examples.ts';
import type { ComponentName } from './openapi-components.ts';
import { json, operation } from './openapi-operation.ts';
import type { ErrorStatus } from './openapi-operation.ts';

export function estimatePaths(): Record<string, object> {
  return {
    '/v1/estimates/search': {
      post: estimate('estimateSearch', 'SearchRequest', examples.searchRequest, [501]),
    },
    '/v1/estimates/extract': {
      post: estimate('estimateExtract', 'ExtractRequest', examples.extractRequest, []),
    },
    '/v1/estimates/transcription': {
      post: estimate(
        'estimateTranscription',
        'TranscriptionRequest',
        examples.transcriptionRequest,
        [],
      ),
    },
  };
}

function estimate(
  id: string,
  schema: ComponentName,
  request: unknown,
  more: readonly ErrorStatus[],
): object {
  return {
    ...operation('account', 'Estimate what a request may cost', {
      id,
      description:
        'Takes the request of the tool and answers what it may cost. No provider is called, and ' +
        'nothing is charged. The request is checked as if it were sent.',
      success: {
        status: 200,
        meaning: 'What the request may cost.',
        schema: 'Estimate',
        examples: { estimate: { value: examples.estimate } },
      },
      failures: [400, 401, 413, 429, 500, ...more, 503],
    }),
    requestBody: { required: true, content: json(schema, { usual: { value: request } }) },
  };
}
