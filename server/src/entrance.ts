// How people come in: sign-in, their sessions, and the link that lets the first one in.
import type { SessionView } from '@trivium/contract';
import { makeSessions } from './http/session.ts';
import type { Sessions } from './http/session.ts';
import type { House } from './services/house.ts';
import { prepareSetUp } from './services/invite.ts';
import { makeSignIn } from './services/sign-in.ts';
import type { SignIn } from './services/sign-in.ts';
import { findKey } from './store/keys.ts';

export interface Entrance {
  sign_in: SignIn;
  sessions: Sessions;
  /** What the dashboard should know of this deployment before anybody signs in. */
  here: Pick<SessionView, 'sandbox' | 'single_sign_on'>;
  set_up_token: string | undefined;
}

export async function openEntrance(
  house: House,
  secret: string,
  sandbox: boolean,
): Promise<Entrance> {
  const { database, settings } = house;
  const { single_sign_on, public_url } = settings;
  const sign_in = makeSignIn({ database, secret, public_url, single_sign_on });
  return {
    sign_in,
    sessions: makeSessions(sign_in, async (id) => (await findKey(database, id))?.account_id),
    here: { sandbox, single_sign_on: single_sign_on?.name ?? null },
    set_up_token: await prepareSetUp(house, secret),
  };
}
