// A session of the dashboard in place of a key: whose it is, and that our own page sent it.
import type { Person } from '@trivium/contract';
import { callerOf } from '../services/session.ts';
import type { Caller } from '../services/house.ts';
import type { SignIn } from '../services/sign-in.ts';
import type { Incoming } from './app.ts';
import { checkScope } from './member-scope.ts';
import type { AccountOfKey } from './member-scope.ts';
import { checkSameOrigin } from './same-origin.ts';

export interface Sessions {
  personOf: (request: Request) => Promise<Person | undefined>;
  /** Throws when this person may not ask this. */
  checkScope: (
    person: Person,
    route: { method: string; path: string },
    incoming: Incoming,
  ) => Promise<void>;
}

const account_header = 'x-trivium-account';

export function makeSessions(sign_in: SignIn, accountOfKey: AccountOfKey): Sessions {
  return {
    personOf: async (request) => {
      if (!request.headers.has('cookie')) return undefined;
      const person = await sign_in.personOf(request.headers);
      if (person) checkSameOrigin(request);
      return person;
    },
    checkScope: (person, route, incoming) => checkScope(person, route, incoming, accountOfKey),
  };
}

export function identifySession(request: Request, person: Person): Caller {
  return callerOf(person, request.headers.get(account_header));
}
