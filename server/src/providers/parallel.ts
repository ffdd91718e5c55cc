// engine_b: Parallel.
import type { Provider } from './provider.ts';

export const parallel: Provider = {
  id: 'engine_b',
  name: 'Parallel',
  credential: { env: ['PARALLEL_API_KEY'] },
  hosts: { api: { env: 'PARALLEL_BASE_URL', default: 'https://api.parallel.ai' } },
  auth: (key) => ({ 'x-api-key': key }),
};
