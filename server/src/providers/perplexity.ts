// engine_k: Perplexity.
import type { Provider } from './provider.ts';

export const perplexity: Provider = {
  id: 'engine_k',
  name: 'Perplexity',
  credential: { env: ['PERPLEXITY_API_KEY'] },
  hosts: { api: { env: 'PERPLEXITY_BASE_URL', default: 'https://api.perplexity.ai' } },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
};
