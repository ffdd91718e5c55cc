// engine_e: Serper.
import type { Provider } from './provider.ts';

export const serper: Provider = {
  id: 'engine_e',
  name: 'Serper',
  credential: { env: ['SERPER_API_KEY'] },
  hosts: {
    api: { env: 'SERPER_BASE_URL', default: 'https://google.serper.dev' },
    scrape: { env: 'SERPER_SCRAPE_BASE_URL', default: 'https://scrape.serper.dev' },
  },
  auth: (key) => ({ 'x-api-key': key }),
};
