// stt_c: ElevenLabs.
import type { Provider } from './provider.ts';

export const elevenlabs: Provider = {
  id: 'stt_c',
  name: 'ElevenLabs',
  credential: { env: ['ELEVENLABS_API_KEY'] },
  hosts: { api: { env: 'ELEVENLABS_BASE_URL', default: 'https://api.elevenlabs.io' } },
  auth: (key) => ({ 'xi-api-key': key }),
};
