// What all browser tests share: one gateway, one browser, one operator who has signed in once.
import { afterAll, beforeAll } from 'bun:test';
import type { InviteRequest, NewInvite } from '@trivium/contract';
import type { Browser, BrowserContext, BrowserContextOptions, Cookie } from 'playwright-core';
import { freePort } from '../free-port.ts';
import { sharedGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { client } from './identity-provider.ts';
import type { Operator } from './operator-api.ts';
import { hasBrowser, launchChromium, openContext, visit } from './visit.ts';
import type { Visit } from './visit.ts';

export interface Fixture {
  gateway: () => Gateway;
  /** The address of the identity provider. */
  issuer: string;
  /** A browser without cookies. */
  anonymous: (options?: BrowserContextOptions) => Promise<Visit>;
  /** A browser without cookies, for several tabs. */
  newBrowser: () => Promise<BrowserContext>;
  /** The operator, in a new tab of a browser that has been here before. */
  operator: () => Promise<Visit>;
  /** From now on the operator's browser has these cookies. */
  signedIn: (cookies: Cookie[]) => Promise<void>;
}

/** Settings of a gateway without an identity provider. */
export const passwordsOnly = {
  TRIVIUM_PUBLIC_URL: undefined,
  TRIVIUM_OIDC_ISSUER: undefined,
  TRIVIUM_OIDC_CLIENT_ID: undefined,
  TRIVIUM_OIDC_CLIENT_SECRET: undefined,
  TRIVIUM_OIDC_NAME: undefined,
};

export function browserFixture(more: Readonly<Record<string, string | undefined>> = {}): Fixture {
  const issuer = `http://127.0.0.1:${freePort()}`;
  const port = freePort();
  const gateway = sharedGateway({
    env: {
      PORT: String(port),
      TRIVIUM_PUBLIC_URL: `http://127.0.0.1:${port}`,
      TRIVIUM_OIDC_ISSUER: issuer,
      TRIVIUM_OIDC_CLIENT_ID: client.id,
      TRIVIUM_OIDC_CLIENT_SECRET: client.secret,
      TRIVIUM_OIDC_NAME: 'Example Works',
      ...more,
    },
  });
  let browser: Browser | undefined;
  let jobs: BrowserContext | undefined;
  const opened = <T>(one: T | undefined): T => {
    if (one === undefined) throw new Error('The browser exists only while tests run.');
    return one;
  };
  beforeAll(async () => {
    if (!hasBrowser) return;
    browser = await launchChromium();
    jobs = await openContext(browser);
  });
  afterAll(() => browser?.close());
  return {
    gateway,
    issuer,
    operator: () => visit(opened(jobs)),
    signedIn: (cookies) => opened(jobs).addCookies(cookies),
    newBrowser: () => openContext(opened(browser)),
    anonymous: (options) => visit(opened(browser), options),
  };
}

/** A person who was invited, and has joined in a browser of their own. */
export async function joinAs(
  { gateway, anonymous }: Fixture,
  call: Operator['call'],
  invited: InviteRequest,
  email: string,
): Promise<Visit> {
  const { token } = await call<NewInvite>('POST', '/admin/v1/invites', invited);
  const bob = await anonymous();
  await bob.page.goto(`${gateway().url}/join#${token}`);
  await bob.page.getByLabel('Name').fill('Bob');
  await bob.page.getByLabel('Email').fill(email);
  await bob.page.getByLabel('Password').fill('correct horse battery');
  await bob.page.getByRole('button', { name: 'Join' }).click();
  await bob.page.getByRole('heading', { name: 'Overview' }).waitFor();
  return bob;
}
