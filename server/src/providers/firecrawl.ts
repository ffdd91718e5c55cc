// engine_f: Firecrawl.
import type { Provider } from './provider.ts';

export const firecrawl: Provider = {
  id: 'engine_f',
  name: 'Firecrawl',
  credential: { env: ['FIRECRAWL_API_KEY'], not_needed_with_base: true },
  hosts: { api: { env: 'FIRECRAWL_API_URL', default: 'https://api.firecrawl.dev' } },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
};
