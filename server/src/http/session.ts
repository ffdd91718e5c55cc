// A session of the dashboard in place of a key: whose it is, and that our own page sent it.
import type { Person } from '@trivium/contract';
import type { Caller } from '../services/house.ts';
import type { SignIn } from '../services/sign-in.ts';
import type { AccountOfKey } from './member-scope.ts';
import { notYours } from './member-scope.ts';
import type { SameOriginCheck } from './same-origin.ts';

export interface Sessions {
  personOf: (request: Request) => Promise<Person | undefined>;
  /** For which account a person's request is made. */
  callerOf: (person: Person, request: Request) => Promise<Caller>;
  accountOfKey: AccountOfKey;
}

export interface SessionDevices {
  sign_in: SignIn;
  checkSameOrigin: SameOriginCheck;
  /** Throws for an account that is not there. */
  callerFor: (person: Person, named: string | undefined) => Promise<Caller>;
  accountOfKey: AccountOfKey;
}

const account_header = 'x-trivium-account';

export function makeSessions(devices: SessionDevices): Sessions {
  const { sign_in, checkSameOrigin, callerFor, accountOfKey } = devices;
  return {
    personOf: async (request) => {
      if (!request.headers.has('cookie')) return undefined;
      const person = await sign_in.personOf(request.headers);
      if (person) checkSameOrigin(request);
      return person;
    },
    callerOf: async (person, request) => {
      const named = request.headers.get(account_header) ?? undefined;
      const own = person.account_id;
      if (own !== null && named !== undefined && named !== own) throw notYours();
      return callerFor(person, named);
    },
    accountOfKey,
  };
}
