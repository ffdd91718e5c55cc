// The tools for the AI SDK: the real package runs them for a scripted model, against a real
// gateway process.
import { expect, test } from 'bun:test';
import { createClient } from '@trivium/sdk';
import { triviumTools } from '@trivium/sdk/ai';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { sharedGateway } from '../harness.ts';

const gateway = sharedGateway();
const tools = () => triviumTools(createClient({ url: gateway().url, api_key: gateway().key }));
const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
const usage = { inputTokens: tokens, outputTokens: tokens };

/** A model that calls one tool and repeats the tool's result. */
function callOnce(toolName: string, input: object) {
  const model = new MockLanguageModelV3({
    doGenerate: [
      {
        content: [{ type: 'tool-call', toolCallId: '1', toolName, input: JSON.stringify(input) }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      },
    ],
  });
  return { model, tools: tools(), stopWhen: stepCountIs(2), prompt: 'Do it.' };
}

/** The schemas that the model received, and the tool result that it read. */
function seenBy(model: MockLanguageModelV3) {
  const [first, second] = model.doGenerateCalls;
  const offered = (first?.tools ?? []).flatMap((one) => (one.type === 'function' ? [one] : []));
  const [read] = (second?.prompt ?? [])
    .flatMap(({ role, content }) => (role === 'tool' ? content : []))
    .flatMap((part) => (part.type === 'tool-result' ? [part.output] : []));
  return { offered, read };
}

test('a model searches by the name of a vendor and reads the results', async () => {
  const given = callOnce('search', { query: 'solar energy storage', provider: 'Tavily' });
  const { text, steps } = await generateText(given);
  expect(text).toBe('Done.');
  const [result] = steps[0]?.toolResults ?? [];
  if (result?.toolName !== 'search' || result.dynamic) throw new Error('The tool did not run.');
  expect(result.output.provider).toBe('engine_c');
  expect(result.output.results[0]?.url).toStartWith('https://');
  const { offered, read } = seenBy(given.model);
  expect(offered.map(({ name }) => name)).toEqual([
    ...['search', 'extract', 'read_and_search', 'transcribe', 'get_job', 'report_results'],
  ]);
  expect(JSON.stringify(offered[0]?.inputSchema)).toContain('"tavily"');
  expect(JSON.stringify(read)).toContain('engine_c');
});

test('pages are extracted, and a recording is transcribed', async () => {
  const page = 'https://gridlines.example/storage/solar-storage-guide';
  const read = await generateText(callOnce('extract', { urls: [page], max_chars: 200 }));
  expect(read.steps[0]?.toolResults[0]?.output).toMatchObject({ results: [{ url: page }] });
  const recording = { audio_url: 'https://recordings.example/interview.wav', provider: 'deepgram' };
  const transcribed = await generateText(callOnce('transcribe', recording));
  const [result] = transcribed.steps[0]?.toolResults ?? [];
  expect(result?.output).toMatchObject({ status: 'completed', provider: 'stt_b' });
  const { id } = result?.output as { id: string };
  const again = await generateText(callOnce('get_job', { id }));
  expect(again.steps[0]?.toolResults[0]?.output).toMatchObject({ id, status: 'completed' });
});

test('the model reads why a call failed, with vendor and id', async () => {
  const given = callOnce('get_job', { id: `job_${'0'.repeat(36)}` });
  await generateText(given);
  expect(JSON.stringify(seenBy(given.model).read)).toContain('not_found');
  const unknown = callOnce('search', { query: 'x', providr: 'exa' });
  await generateText(unknown);
  expect(JSON.stringify(seenBy(unknown.model).read)).toContain('the nearest known one');
});

test('aborting the run cancels the call', async () => {
  const { search } = tools();
  const stop = new AbortController();
  stop.abort(new Error('not needed any more'));
  const options = { toolCallId: '1', messages: [], abortSignal: stop.signal };
  expect(Promise.resolve(search.execute?.({ query: 'x' }, options))).rejects.toThrow('not needed');
});
