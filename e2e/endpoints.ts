// The four endpoints of the interface, each with a request that is valid for it.
export const endpoints = [
  { method: 'POST', path: '/v1/search', body: { query: 'solar energy storage' } },
  { method: 'POST', path: '/v1/extract', body: { urls: ['https://example.org/'] } },
  {
    method: 'POST',
    path: '/v1/transcriptions',
    body: { audio_url: 'https://example.org/talk.mp3' },
  },
  { method: 'GET', path: '/v1/jobs/job_01890a5d-ac96-774b-bcce-b302099a8057', body: undefined },
] as const;
