// engine_i: Jina.
import type { Provider } from './provider.ts';

export const jina: Provider = {
  id: 'engine_i',
  name: 'Jina',
  credential: { env: ['JINA_API_KEY'] },
  hosts: {
    api: { env: 'JINA_SEARCH_BASE_URL', default: 'https://s.jina.ai' },
    reader: { env: 'JINA_READER_BASE_URL', default: 'https://r.jina.ai' },
  },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
};
