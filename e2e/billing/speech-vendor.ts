// A speech vendor in front of the sandbox whose recordings are as long as a test says, and whose
// jobs stay open for as long as it says.
import { startSandboxProxy } from '../sandbox-proxy.ts';
import { vendorSettings } from '../vendor-settings.ts';

export type SpeechVendor = AsyncDisposable & {
  /** The settings that point every provider at it. */
  env: Record<string, string>;
  /** What it reports as the length of every recording. */
  seconds: number;
  /** Whether its transcripts have words. */
  hasWords: boolean;
  /** Jobs stay open until it is no longer busy. */
  isBusy: boolean;
};

export function startSpeechVendor(sandboxUrl: string): SpeechVendor {
  const proxy = startSandboxProxy(sandboxUrl, async (answer, { method, url }) => {
    const isPoll = method === 'GET' && url.includes('/assemblyai/v2/transcript/');
    if (!isPoll || !answer.ok) return answer;
    return Response.json(edited((await answer.json()) as Record<string, unknown>));
  });
  const edited = (transcript: Record<string, unknown>) => {
    if (transcript['status'] !== 'completed') return transcript;
    if (vendor.isBusy) return { ...transcript, status: 'processing' };
    const words = vendor.hasWords ? {} : { words: [] };
    return { ...transcript, audio_duration: vendor.seconds, ...words };
  };
  const vendor: SpeechVendor = {
    env: { TRIVIUM_SANDBOX: 'off', ...vendorSettings(proxy.url) },
    seconds: 60,
    hasWords: true,
    isBusy: false,
    [Symbol.asyncDispose]: proxy[Symbol.asyncDispose],
  };
  return vendor;
}
