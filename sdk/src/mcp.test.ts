// The tools that wait: progress, the transcript at the end, the job id after a timeout.
import { expect, test } from 'bun:test';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createClient } from './client.ts';
import { createMcpServer } from './mcp.ts';
import { jobId, jobIn, startStubGateway } from './stub-gateway.ts';
import type { StubGateway } from './stub-gateway.ts';

const accept = () =>
  Response.json(
    {
      id: jobId,
      tool: 'transcription',
      status: 'queued',
      provider: 'stt_a',
      model: 'universal',
      warnings: [],
      created_at: '2026-11-15T12:00:00.000Z',
    },
    { status: 202 },
  );
const reading = (status: Parameters<typeof jobIn>[0]) => () => Response.json(jobIn(status));

async function transcribe(gateway: StubGateway, waitSeconds: number, seen: string[] = []) {
  const client = createClient({ url: gateway.url, api_key: 'sk_live_test' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createMcpServer(client).connect(far);
  const agent = new Client({ name: 'test', version: '0' });
  await agent.connect(near);
  const input = { audio_url: 'https://example.com/talk.mp3', wait_seconds: waitSeconds };
  const request = { name: 'transcribe', arguments: input };
  const onprogress = ({ message }: { message?: string | undefined }) =>
    void seen.push(message ?? '');
  const result = await agent.callTool(request, { onprogress });
  await agent.close();
  return result;
}

test('a client that asks for progress receives every state, then the transcript', async () => {
  await using gateway = startStubGateway([accept, reading('running'), reading('completed')]);
  const seen: string[] = [];
  const { structuredContent } = await transcribe(gateway, 30, seen);
  expect(structuredContent).toMatchObject({ status: 'completed', text: 'Hello there.' });
  expect(seen[0]).toBe('running, waiting');
});

test('a job that takes longer is returned by its id', async () => {
  await using gateway = startStubGateway([accept, reading('running')]);
  const { structuredContent, isError, content } = await transcribe(gateway, 0);
  expect(isError).toBeUndefined();
  expect(structuredContent).toMatchObject({ id: jobId, status: 'running' });
  expect(JSON.stringify(content)).toContain('get_job');
});

test('a job that failed is an error with its reason', async () => {
  await using gateway = startStubGateway([accept, reading('failed')]);
  const { isError, content } = await transcribe(gateway, 30);
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain('audio_unreachable');
});
