// Replaces a language model: makes one tool call, then answers with its result.

const usage = { inputTokens: {}, outputTokens: {} };

export const scriptedModel = {
  specificationVersion: 'v3',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const [result] = prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
    if (result === undefined) return callTool(prompt);
    // The pages begin with their number and title, their address, and an empty line.
    const pages = [...result.output.value.matchAll(/^\[\d+\] (.+)\n(https?:.+)\n\n(.+)/gm)];
    const sources = pages.map(([, title, url]) => `- ${title}: ${url}`);
    const answer = pages[0]?.[3] ?? 'No results.';
    return { ...said({ type: 'text', text: [answer, '', ...sources].join('\n') }, 'stop') };
  },
};

function callTool(prompt) {
  const { content } = prompt.findLast(({ role }) => role === 'user');
  const query = content.find(({ type }) => type === 'text').text;
  const input = JSON.stringify({ query, max_pages: 2, max_cost_usd: 0.05 });
  const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'read_and_search', input };
  return said(call, 'tool-calls');
}

function said(part, reason) {
  return { content: [part], finishReason: { unified: reason }, usage, warnings: [] };
}
