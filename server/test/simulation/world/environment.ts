// What every simulated gateway is started with.
export const adminToken = 'operator-token-of-the-simulation-0123456789';
const rootKey = `sk_live_${'k'.repeat(43)}`;
export const gatewayUrl = 'https://gateway.example';
/** Of gateways that share a store. */
export const sharedSecret = 'secret-of-the-simulation-0123456789abcdef';

export const environment: Readonly<Record<string, string>> = {
  PORT: '8080',
  LOG_LEVEL: 'silent',
  TRIVIUM_SANDBOX: 'off',
  TRIVIUM_BOOTSTRAP_KEY: rootKey,
  TRIVIUM_BOOTSTRAP_BALANCE_USD: '0',
  TRIVIUM_ADMIN_TOKEN: adminToken,
  TRIVIUM_PUBLIC_URL: gatewayUrl,
  TRIVIUM_JOB_DEADLINE_MINUTES: '2',
  TRIVIUM_JOB_HOLD_MINUTES: '1',
  TRIVIUM_MAX_AUDIO_MINUTES: '2',
  TRIVIUM_OVERDRAFT_USD: '0',
  EXA_API_KEY: 'exa-key-of-the-simulation',
  TAVILY_API_KEY: 'tavily-key-of-the-simulation',
  FIRECRAWL_API_KEY: 'firecrawl-key-of-the-simulation',
  ASSEMBLYAI_API_KEY: 'assemblyai-key-of-the-simulation',
  DEEPGRAM_API_KEY: 'deepgram-key-of-the-simulation',
  DEEPGRAM_KEY_ID: 'key-of-the-simulation',
  ELEVENLABS_API_KEY: 'elevenlabs-key-of-the-simulation',
  ELEVENLABS_WEBHOOK_SECRET: 'wsec_simulated',
  ELEVENLABS_WEBHOOK_ID: 'wh_simulated',
};
