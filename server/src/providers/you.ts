// engine_j: You.com.
import type { Provider } from './provider.ts';

export const you: Provider = {
  id: 'engine_j',
  name: 'You.com',
  credential: { env: ['YDC_API_KEY'] },
  hosts: { api: { env: 'YDC_BASE_URL', default: 'https://ydc-index.io' } },
  auth: (key) => ({ 'x-api-key': key }),
};
