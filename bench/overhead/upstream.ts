// A provider with a constant, immediate response, so that only what is in front of it is measured.

const ten = Array.from({ length: 10 }, (_, at) => ({
  id: `https://example.org/page-${at}`,
  url: `https://example.org/page-${at}`,
  title: `Page ${at}: how storage smooths a grid that runs on sun and wind`,
  publishedDate: '2026-01-15T00:00:00.000Z',
  author: 'An Author',
  score: 0.9 - at / 100,
  highlights: [
    'Batteries fill the gap between a sunny noon and an evening meal, night after night.',
  ],
}));

const search = JSON.stringify({
  requestId: '4f1c0d9a5b7e4c2f8a6d3e1b0c9f7a52',
  resolvedSearchType: 'neural',
  results: ten,
  costDollars: { total: 0.007 },
});

const text = ten.map(({ highlights }) => highlights).join(' ');

/** About as long as the search, in the formats that gateways for language models expect. */
const completion = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'static',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: text },
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 200, total_tokens: 210 },
});

const message = JSON.stringify({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' },
  ...{ content: [{ type: 'text', text }], stop_reason: 'end_turn', stop_sequence: null },
  usage: { input_tokens: 10, output_tokens: 200 },
});

/** The prices of a gateway that would otherwise download a list of them. */
const prices = JSON.stringify({
  version: 1,
  models: {
    static: {
      modes: ['chat'],
      pricing: { input_per_mtok: 1, output_per_mtok: 4, currency: 'USD' },
    },
  },
});

const answers: Readonly<Record<string, string>> = {
  '/v1/chat/completions': completion,
  '/v1/messages': message,
  '/prices': prices,
};
const headers = { 'content-type': 'application/json' };
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    await request.arrayBuffer();
    return new Response(answers[new URL(request.url).pathname] ?? search, { headers });
  },
});
process.stdout.write(`listening on ${server.url.origin}\n`);
