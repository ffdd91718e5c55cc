// The tools, the jobs and uploads of a caller, and what a caller can read about its own account.
import * as examples from '../examples/tools.ts';
import * as schemas from '../index.ts';
import { anyBytes, described, text, type Operations } from './operation.ts';

const recording = { ...anyBytes, description: 'Audio or video.' };

const recordingFile = {
  description: 'A form with one file, or the file itself with its own Content-Type.',
  content: {
    'multipart/form-data': {
      schema: { type: 'object', required: ['file'], properties: { file: recording } },
    },
    'application/octet-stream': { schema: anyBytes },
  },
};

const openAiForm = {
  description: "OpenAI's form, with the file at any position.",
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file', 'model'],
        properties: {
          file: recording,
          model: described(
            "whisper-1 for the first configured provider, an id, or a vendor's name.",
          ),
          language: described('If omitted, the provider detects it.'),
          prompt: described('Split at commas and sent as keyterms.'),
          response_format: {
            ...described('The format of the response. Default: json.'),
            enum: ['json', 'text', 'verbose_json', 'diarized_json', 'srt', 'vtt'],
          },
          'timestamp_granularities[]': {
            type: 'array',
            items: { type: 'string', enum: ['word', 'segment'] },
            description: 'Which of them verbose_json lists. Default: segment.',
          },
          stream: described('Only false.'),
          temperature: described('Ignored with a warning, unless it is 0.'),
        },
      },
    },
  },
};

const openAiHeaders = [
  ...(['x-trivium-job-id', 'x-trivium-provider', 'x-trivium-cost-usd'] as const),
  'x-trivium-warnings',
] as const;

const estimate = {
  summary: 'Estimate the cost of a request',
  description:
    'Takes the same request as the tool and returns what it can cost. The request is ' +
    'validated as usual, but no provider is called and nothing is charged.',
  meaning: 'What the request can cost.',
  answer: [schemas.Estimate, { estimate: examples.estimate }],
} as const;

export const tools = {
  'POST /v1/search': {
    id: 'searchWeb',
    tag: 'search',
    answerHeaders: ['x-trivium-routing', 'x-trivium-explain'],
    summary: 'Search the web',
    description:
      'Searches with one engine, with the first configured one (auto), or with a panel of ' +
      'engines whose results are merged by consensus (fusion).',
    paid: 'cache',
    body: [schemas.SearchRequest, { search: examples.searchRequest }],
    meaning: 'The search results.',
    answer: [schemas.SearchResponse, { found: examples.searchResponse }],
    refuses: [501, 502],
  },
  'POST /v1/extract': {
    id: 'extractPages',
    tag: 'extract',
    summary: 'Extract pages',
    description:
      'Returns the cleaned content of up to 20 pages. A page that cannot be extracted is listed' +
      ' in failed and does not fail the others.',
    paid: 'cache',
    body: [schemas.ExtractRequest, { extract: examples.extractRequest }],
    meaning: 'The extracted pages; pages that could not be extracted are listed in failed.',
    answer: [schemas.ExtractResponse, { partly: examples.extractResponse }],
    refuses: [502],
  },
  'POST /v1/transcriptions': {
    id: 'createTranscription',
    tag: 'transcription',
    summary: 'Submit audio',
    description:
      'Accepts a recording by its URL and returns a job immediately. The job is submitted ' +
      'once, charged once, and survives a restart of the gateway.',
    paid: 'webhook',
    body: [schemas.TranscriptionRequest, { transcription: examples.transcriptionRequest }],
    status: 202,
    meaning: 'The job was accepted; read it at /v1/jobs/{id}.',
    answer: [schemas.TranscriptionAccepted, { queued: examples.transcriptionAccepted }],
    refuses: [404],
  },
  'POST /v1/uploads': {
    id: 'createUpload',
    tag: 'transcription',
    summary: 'Upload a recording',
    description:
      'Stores a recording for transcription, up to TRIVIUM_MAX_UPLOAD_MB. The first bytes ' +
      'determine the type. The name of the file is that in the form, or filename* of the header ' +
      'Content-Disposition. The recording is deleted when its jobs have ended, or after 24 hours.',
    file: recordingFile,
    status: 201,
    meaning: 'The recording was stored.',
    answer: [schemas.Upload, { stored: examples.upload }],
    refuses: [503],
  },
  'GET /v1/uploads/:id': {
    id: 'readUpload',
    tag: 'transcription',
    summary: 'Read an upload',
    description: 'Returns an upload that has not been deleted.',
    meaning: 'The upload.',
    answer: [schemas.Upload, { stored: examples.upload }],
  },
  'DELETE /v1/uploads/:id': {
    id: 'deleteUpload',
    tag: 'transcription',
    summary: 'Delete an upload',
    description: 'Deletes an upload immediately. A job that still needs it fails.',
    meaning: 'The upload was deleted.',
    answer: [schemas.UploadDeleted, { deleted: examples.uploadDeleted }],
  },
  'POST /v1/audio/transcriptions': {
    id: 'createOpenAiTranscription',
    tag: 'transcription',
    errors: 'openai',
    answerHeaders: openAiHeaders,
    summary: "Transcribe a file in OpenAI's format",
    description:
      'Uploads the file, runs a job and waits until it ends. The header x-trivium-job-id ' +
      'is the id of the job, which continues if the caller disconnects. With an ' +
      'Idempotency-Key, the same file and fields get the same job again. The formats text, ' +
      'srt and vtt are plain text.',
    paid: 'webhook',
    file: openAiForm,
    meaning: 'The transcript.',
    answer: [schemas.OpenAiTranscription, { json: examples.openAiTranscription }],
    refuses: [404, 502],
  },
  'GET /v1/models': {
    id: 'listOpenAiModels',
    tag: 'transcription',
    errors: 'openai',
    summary: "List the models in OpenAI's format",
    description: "Returns the values that model can have, in OpenAI's format.",
    meaning: 'The names.',
    answer: [schemas.OpenAiModelList, { models: examples.openAiModels }],
  },
  'GET /v1/jobs/:id': {
    id: 'readJob',
    tag: 'transcription',
    summary: 'Read a job',
    description:
      'Returns the state of a job, and its transcript once it is completed. Free of charge. With ' +
      'x-trivium-content the gateway checks the transcript; if block removes it, it returns 404.',
    checked: true,
    meaning: 'The job in its current state.',
    answer: [schemas.Job, { completed: examples.completedJob, failed: examples.failedJob }],
    refuses: [402, 503],
  },
  'GET /v1/jobs/:id/raw': {
    id: 'readRawDocument',
    tag: 'transcription',
    summary: "Read the provider's document for a job",
    description:
      'Returns the document that the transcript of a completed job was made from, as the ' +
      'provider sent it: summaries, chapters, entities, and everything else that native ' +
      'options requested. The header x-trivium-unread-words counts incomplete words, and ' +
      'x-trivium-ends-early reports that the last word ends long before the recording. ' +
      'Free of charge.',
    meaning: 'The document as the gateway received it.',
    answer: [schemas.RawDocument, { usual: examples.rawDocument }],
    refuses: [503],
  },
  'GET /v1/usage': {
    id: 'readOwnUsage',
    tag: 'account',
    summary: 'Read the usage',
    description:
      "Returns the requests of the key's account, their outcomes and their cost, added up " +
      'by group. A key with own_use_only gets only its own. Days are in UTC. With accept: ' +
      'text/csv, the response is CSV.',
    query: schemas.OwnUsageQuery,
    meaning: 'The usage, one line for each group.',
    answer: [schemas.OwnUsage, { by_tool: examples.ownUsage }],
    formats: { 'text/csv': text },
  },
  'GET /v1/jobs': {
    id: 'listOwnJobs',
    tag: 'transcription',
    summary: 'List the jobs',
    description:
      "Returns the jobs of the key's account, newest first, without their transcripts. A " +
      'key with own_use_only gets only its own. With accept: text/csv, the response is ' +
      'CSV, and the header x-next-cursor has the cursor of the next page.',
    query: schemas.OwnJobQuery,
    meaning: 'One page of jobs.',
    answer: [schemas.OwnJobList, { one: examples.ownJobs }],
    formats: { 'text/csv': text },
  },
  'GET /v1/balance': {
    id: 'readBalance',
    tag: 'account',
    summary: 'Read the balance',
    description: "Returns the balance of the key's account.",
    meaning: 'The balance of the account.',
    answer: [schemas.Balance, { balance: examples.balance }],
  },
  'GET /v1/providers': {
    id: 'listProviders',
    tag: 'account',
    summary: 'List the providers',
    description:
      'Returns every provider with its state, its health, its prices, and how it supports each ' +
      'parameter.',
    meaning: 'Every provider, what it can do and what it costs.',
    answer: [schemas.ProvidersResponse, { providers: examples.providers }],
  },
  'POST /v1/estimates/search': {
    id: 'estimateSearch',
    tag: 'account',
    ...estimate,
    body: [schemas.SearchRequest, { usual: examples.searchRequest }],
    refuses: [501, 503],
  },
  'POST /v1/estimates/extract': {
    id: 'estimateExtract',
    tag: 'account',
    ...estimate,
    body: [schemas.ExtractRequest, { usual: examples.extractRequest }],
    refuses: [503],
  },
  'POST /v1/estimates/transcription': {
    id: 'estimateTranscription',
    tag: 'account',
    ...estimate,
    body: [schemas.TranscriptionRequest, { usual: examples.transcriptionRequest }],
    refuses: [503],
  },
  'POST /v1/feedback': {
    id: 'giveFeedback',
    tag: 'account',
    summary: 'Report which results were useful',
    description:
      'Reports which results of a search of this account were cited, opened or rejected, up to ' +
      'seven days after the search. It is free, but counts towards the rate limits. A later report ' +
      'about a result replaces an earlier one, and a repeated report changes nothing.',
    body: [schemas.FeedbackRequest, { cited: examples.feedback }],
    meaning: 'The feedback about the results of the search so far.',
    answer: [schemas.FeedbackResponse, { known: examples.feedbackKnown }],
    refuses: [404, 409],
  },
} as const satisfies Operations;
