// Dashboard sessions: who is signed in, and for which account the request is made.
import type { Person } from '@trivium/contract';
import type { Caller } from '../../requests/index.ts';
import type { SignIn } from '../../accounts/index.ts';
import { forbidden, readOnly } from './member-scope.ts';
import type { SameOriginCheck } from './same-origin.ts';
import type { Owners } from '../route.ts';

export interface Sessions {
  personOf: (request: Request) => Promise<Person | undefined>;
  /** The caller that a person's request is charged to. */
  callerOf: (person: Person, request: Request) => Promise<Caller>;
  owners: Owners;
}

interface SessionDependencies {
  signIn: SignIn;
  checkSameOrigin: SameOriginCheck;
  /** Throws for an unknown account. */
  callerFor: (person: Person, requested: string | undefined) => Promise<Caller>;
  owners: Owners;
}

const accountHeader = 'x-trivium-account';

export function makeSessions(dependencies: SessionDependencies): Sessions {
  const { signIn, checkSameOrigin, callerFor, owners } = dependencies;
  return {
    personOf: async (request) => {
      if (!request.headers.has('cookie')) return undefined;
      const person = await signIn.personOf(request.headers);
      if (person) checkSameOrigin(request);
      return person;
    },
    callerOf: async (person, request) => {
      const requested = request.headers.get(accountHeader) ?? undefined;
      // Requests to the API cost money or change something, except those that only read.
      if (person.role === 'viewer' && request.method !== 'GET') throw readOnly();
      const own = person.account_id;
      if (own !== null && requested !== undefined && requested !== own) throw forbidden();
      return callerFor(person, requested);
    },
    owners,
  };
}
