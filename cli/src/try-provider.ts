// Makes one cheap call to a provider through the public API, with a tool that it has.
import type { ProviderDescription } from '@trivium/contract';
import { JobFailedError } from '@trivium/sdk';
import type { Client } from '@trivium/sdk';
import { messageOf } from './finding.ts';
import type { Finding } from './finding.ts';
import { formatUsd } from './paid.ts';

export async function tryProvider(
  client: Client,
  { id, name, state, tools }: ProviderDescription,
  signal: AbortSignal,
): Promise<Finding> {
  const check = `${id} ${name}`;
  if (state !== 'configured') return { check, state: 'note', found: state.replace('_', ' ') };
  try {
    if (tools.search) return { check, state: 'ok', found: await trySearch(client, id, signal) };
    if (tools.extract) return { check, state: 'ok', found: await tryExtract(client, id, signal) };
    return { check, state: 'ok', found: await trySpeech(client, id, signal) };
  } catch (error) {
    const advice = 'Check its credential, and the balance of the vendor account.';
    return { check, state: 'fault', found: messageOf(error), advice };
  }
}

const testQuery = 'weather';
const testPage = 'https://example.com/';
/**
 * A recording that does not exist. A provider that says so has accepted the credential, for free.
 */
const missingRecording = 'https://example.com/no-such-recording.wav';
const jobLimitMs = 90_000;

async function trySearch(client: Client, id: string, signal: AbortSignal): Promise<string> {
  const request = { query: testQuery, provider: id as 'engine_a', max_results: 1 };
  return answered(await client.search(request, { signal }));
}

async function tryExtract(client: Client, id: string, signal: AbortSignal): Promise<string> {
  const request = { urls: [testPage], provider: id as 'engine_a' };
  return answered(await client.extract(request, { signal }));
}

function answered({ latency_ms, usage }: { latency_ms: number; usage: { cost_usd: number } }) {
  return `answers in ${latency_ms} ms for ${formatUsd(usage.cost_usd)} USD`;
}

async function trySpeech(client: Client, id: string, signal: AbortSignal): Promise<string> {
  const request = { audio_url: missingRecording, provider: id as 'stt_a' };
  const job = await client.transcribe(request, { signal });
  try {
    const { result } = await client.jobs.wait(job.id, { signal, timeoutMs: jobLimitMs });
    return `transcribes, for ${formatUsd(result.usage?.cost_usd ?? 0)} USD`;
  } catch (error) {
    const missing = error instanceof JobFailedError && error.reason.type === 'audio_unreachable';
    if (missing) return 'answers; it reported the missing test recording, free of charge';
    throw error;
  }
}
