// How people come in: sign-in, their sessions, and the link that lets the first one in.
import type { SignInDesk } from './http/routes/sign-in.ts';
import { makeSameOriginCheck } from './http/same-origin.ts';
import { makeSessions } from './http/session.ts';
import type { Sessions } from './http/session.ts';
import type { House } from './services/house.ts';
import { prepareSetUp } from './services/invite.ts';
import { callerFor } from './services/session.ts';
import { makeSignInLimits } from './services/sign-in-limits.ts';
import { makePasswordSignIn } from './services/sign-in-password.ts';
import { makeSignIn } from './services/sign-in.ts';
import { findKey } from './store/keys.ts';

export interface Entrance {
  desk: SignInDesk;
  sessions: Sessions;
  set_up_token: string | undefined;
}

/** Stands for the dashboard's address where none is set; nothing is ever sent there. */
const namelessUrl = 'http://localhost';

export async function openEntrance(
  house: House,
  secret: string,
  sandbox: boolean,
): Promise<Entrance> {
  const { database, settings, log, clock } = house;
  const { single_sign_on, public_url } = settings;
  const base_url = new URL(public_url ?? namelessUrl).origin;
  const sign_in = makeSignIn({ database, log, secret, base_url, single_sign_on });
  const limits = makeSignInLimits(clock);
  const secure = base_url.startsWith('https:');
  const checkSameOrigin = makeSameOriginCheck(public_url);
  const sessions = makeSessions({
    sign_in,
    checkSameOrigin,
    callerFor: (person, named) => callerFor(house, person, named),
    accountOfKey: async (id) => (await findKey(database, id))?.account_id,
  });
  const desk: SignInDesk = {
    sign_in,
    signInWithPassword: makePasswordSignIn(sign_in, limits, { clock, secret, secure }),
    limits,
    checkSameOrigin,
    here: { sandbox, single_sign_on: single_sign_on?.name ?? null },
  };
  return { desk, sessions, set_up_token: await prepareSetUp(house, secret) };
}
