// engine_d: Brave.
import type { Provider } from './provider.ts';

export const brave: Provider = {
  id: 'engine_d',
  name: 'Brave',
  credential: { env: ['BRAVE_SEARCH_API_KEY', 'BRAVE_API_KEY'] },
  hosts: { api: { env: 'BRAVE_BASE_URL', default: 'https://api.search.brave.com/res/v1' } },
  auth: (key) => ({ 'x-subscription-token': key }),
};
