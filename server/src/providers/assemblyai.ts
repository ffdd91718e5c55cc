// stt_a: AssemblyAI.
import type { Provider } from './provider.ts';

export const assemblyai: Provider = {
  id: 'stt_a',
  name: 'AssemblyAI',
  credential: { env: ['ASSEMBLYAI_API_KEY'] },
  hosts: { api: { env: 'ASSEMBLYAI_BASE_URL', default: 'https://api.assemblyai.com' } },
  auth: (key) => ({ authorization: key }),
};
