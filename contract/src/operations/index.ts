// The API as one table: the purpose, input and output of each operation. The server builds its
// routes from it, and openapi.ts generates the description from it.
import { accounts } from './accounts.ts';
import { configuration } from './configuration.ts';
import { oauth } from './oauth.ts';
import { people } from './people.ts';
import { reports } from './reports.ts';
import { tools } from './tools.ts';
import { webhooks } from './webhooks.ts';

export { resources, tags } from './operation.ts';
export type { ErrorStatus, Operation, Resource, Tag } from './operation.ts';

export const operations = {
  ...tools,
  ...accounts,
  ...reports,
  ...people,
  ...configuration,
  ...webhooks,
  ...oauth,
};
