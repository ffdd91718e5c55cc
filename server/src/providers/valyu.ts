// engine_h: Valyu.
import type { Provider } from './provider.ts';

export const valyu: Provider = {
  id: 'engine_h',
  name: 'Valyu',
  credential: { env: ['VALYU_API_KEY'] },
  hosts: { api: { env: 'VALYU_BASE_URL', default: 'https://api.valyu.ai/v1' } },
  auth: (key) => ({ 'x-api-key': key }),
};
