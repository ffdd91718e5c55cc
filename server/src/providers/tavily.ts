// engine_c: Tavily.
import type { Provider } from './provider.ts';

export const tavily: Provider = {
  id: 'engine_c',
  name: 'Tavily',
  credential: { env: ['TAVILY_API_KEY'] },
  hosts: { api: { env: 'TAVILY_BASE_URL', default: 'https://api.tavily.com' } },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
};
