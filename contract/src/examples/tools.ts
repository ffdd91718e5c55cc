// Examples of the tools, of jobs and uploads, and of what a caller reads about its account.
import type {
  Balance,
  Estimate,
  ExtractRequestInput,
  ExtractResponse,
  FeedbackRequest,
  FeedbackResponse,
  Job,
  OpenAiModelList,
  OpenAiTranscription,
  OwnJobList,
  OwnUsage,
  ProvidersResponse,
  RawDocument,
  SearchRequestInput,
  SearchResponse,
  TranscriptionAccepted,
  TranscriptionRequestInput,
  Upload,
  UploadDeleted,
} from '../index.ts';

const jobId = 'job_019a84c2-5b7e-7c31-9d42-6f0e8a1b2c3d';

export const searchRequest: SearchRequestInput = {
  query: 'how do heat pumps work in cold climates',
  provider: 'engine_c',
  max_results: 5,
  published_after: '2025-01-01',
  exclude_domains: ['pinterest.com'],
  content: { snippets: { max_per_result: 2 } },
};

export const searchResponse: SearchResponse = {
  id: 'srch_019a84c25b7e7c319d426f0e8a1b2c3d',
  provider: 'engine_c',
  results: [
    {
      id: 'res_4f9a1c07be52d368',
      url: 'https://example.org/heat-pumps',
      title: 'Heat pumps below freezing',
      snippets: ['Even at -20 °C there is heat in the air to be moved indoors.'],
      score: 0.91,
      score_synthesized: false,
      published_date: '2025-03-14',
      raw: { url: 'https://example.org/heat-pumps', score: 0.91 },
    },
  ],
  warnings: [],
  usage: { cost_usd: 0.008, credits: 8 },
  latency_ms: 412,
};

export const extractRequest: ExtractRequestInput = {
  urls: ['https://example.org/heat-pumps', 'https://example.org/gone'],
  content: { max_chars: 20000, format: 'text' },
};

export const extractResponse: ExtractResponse = {
  id: 'ext_019a84c25b7e7c319d426f0e8a1b2c3d',
  provider: 'engine_a',
  results: [
    {
      url: 'https://example.org/heat-pumps',
      title: 'Heat pumps below freezing',
      content: '# Heat pumps below freezing\n\nEven at -20 °C there is heat in the air.',
      raw: { url: 'https://example.org/heat-pumps' },
    },
  ],
  failed: [{ url: 'https://example.org/gone', error: 'The page answered 404.' }],
  warnings: [
    {
      code: 'param_ignored',
      param: 'content.format',
      message: 'engine_a returns markdown only.',
    },
  ],
  usage: { cost_usd: 0.001, credits: 1 },
  latency_ms: 1280,
};

export const transcriptionRequest: TranscriptionRequestInput = {
  audio_url: 'https://recordings.example/interview.wav',
  provider: 'stt_b',
  language: 'en',
  diarize: true,
  keyterms: ['Trivium'],
};

export const upload: Upload = {
  id: 'upl_0197f2f3a9c17c54b1f2d3e4a5b6c7d8',
  audio_url:
    'https://gateway.example/files/upl_0197f2f3a9c17c54b1f2d3e4a5b6c7d8.1772529300000.' +
    '6d1f0c2b3a4958671f0e2d3c4b5a69788796a5b4',
  bytes: 5_242_880,
  duration_seconds: 328,
  expires_at: '2026-03-03T09:15:00.000Z',
};

export const uploadDeleted: UploadDeleted = { id: upload.id, deleted: true };

export const openAiTranscription: OpenAiTranscription = {
  text: 'Good morning.',
  usage: { type: 'duration', seconds: 2 },
};

export const openAiModels: OpenAiModelList = {
  object: 'list',
  data: [{ id: 'whisper-1', object: 'model', created: 0, owned_by: 'trivium' }],
};

export const transcriptionAccepted: TranscriptionAccepted = {
  id: jobId,
  tool: 'transcription',
  status: 'queued',
  provider: 'stt_b',
  model: 'nova-3',
  warnings: [],
  created_at: '2026-03-02T09:15:00.000Z',
};

export const completedJob: Job = {
  id: jobId,
  tool: 'transcription',
  status: 'completed',
  provider: 'stt_b',
  model: 'nova-3',
  attempt_status: 'completed',
  created_at: '2026-03-02T09:15:00.000Z',
  updated_at: '2026-03-02T09:15:21.000Z',
  finished_at: '2026-03-02T09:15:21.000Z',
  result: {
    text: 'Good morning.',
    language: 'en',
    duration_seconds: 1.4,
    words: [
      { text: 'Good', start: 0.2, end: 0.5, speaker_id: 'speaker_0', confidence: 0.99 },
      { text: 'morning.', start: 0.5, end: 1.1, speaker_id: 'speaker_0', confidence: 0.98 },
    ],
    provider: 'stt_b',
    model: 'nova-3',
    usage: { cost_usd: 0.000131, credits: 1 },
  },
  error: null,
};

export const rawDocument: RawDocument = {
  id: '5d0563f8-6c3d-4a4e-9e2a-0d6a1d1c7a10',
  status: 'completed',
  text: 'Good morning, and thank you for making the time.',
  summary: 'Two people talk about a tidal station.',
};

const { result: _result, ...finished } = completedJob;

export const ownJobs: OwnJobList = {
  jobs: [{ ...finished, cost_usd: 0.000131 }],
  next_cursor: null,
  searched_until: null,
};

export const ownUsage: OwnUsage = {
  by: 'tool',
  usage: [
    {
      group: 'extract',
      requests: 12,
      served: 12,
      refused: 0,
      failed: 0,
      failures: 0,
      cost_usd: 0.012,
    },
    {
      group: 'search',
      requests: 240,
      served: 239,
      refused: 0,
      failed: 1,
      failures: 1,
      cost_usd: 1.68,
    },
  ],
  total: { requests: 252, served: 251, refused: 0, failed: 1, failures: 1, cost_usd: 1.692 },
};

export const failedJob: Job = {
  ...completedJob,
  status: 'failed',
  attempt_status: 'failed',
  result: null,
  error: {
    type: 'audio_unreachable',
    message: 'The provider could not read the audio: the address answered 403.',
    provider_status: 400,
    retryable: false,
  },
};

export const balance: Balance = {
  balance_usd: 12.5,
  held_usd: 0.25,
  exposed_usd: 1.89,
  credits: 12500,
};

export const providers: ProvidersResponse = {
  mode: 'live',
  providers: [
    {
      id: 'engine_c',
      name: 'Tavily',
      state: 'configured',
      tools: {
        search: {
          capabilities: {
            max_results: { support: 'approximated', note: 'At most 20.' },
            include_domains: { support: 'native' },
            safe_search: { support: 'ignored' },
          },
          prices: { basic: 0.008, advanced: 0.016 },
        },
      },
    },
  ],
  auto: {
    search: {
      routing: 'cheapest',
      order: [{ provider: 'engine_c', reason: 'a plain request costs at most 0.008 USD' }],
    },
    extract: { routing: 'order', order: [] },
    transcription: { routing: 'order', order: [] },
  },
};

export const estimate: Estimate = {
  tool: 'search',
  provider: 'engine_a',
  calls: ['engine_a'],
  max_cost_usd: 0.007,
  held_usd: 0.007,
  hour_cost_usd: null,
  average_cost_usd: 0.007,
  average_of: 1204,
  balance_usd: 24.993,
};

export const feedback: FeedbackRequest = {
  search_id: searchResponse.id,
  cited: [searchResponse.results[0]?.id ?? ''],
};

export const feedbackKnown: FeedbackResponse = {
  search_id: searchResponse.id,
  ...{ cited: 1, opened: 0, rejected: 0 },
  unknown: [],
};
