// engine_g: Linkup.
import type { Provider } from './provider.ts';

export const linkup: Provider = {
  id: 'engine_g',
  name: 'Linkup',
  credential: { env: ['LINKUP_API_KEY'] },
  hosts: { api: { env: 'LINKUP_BASE_URL', default: 'https://api.linkup.so/v1' } },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
};
