// stt_b: Deepgram.
import type { Provider } from './provider.ts';

export const deepgram: Provider = {
  id: 'stt_b',
  name: 'Deepgram',
  credential: { env: ['DEEPGRAM_API_KEY'] },
  hosts: { api: { env: 'DEEPGRAM_BASE_URL', default: 'https://api.deepgram.com' } },
  auth: (key) => ({ authorization: `Token ${key}` }),
};
