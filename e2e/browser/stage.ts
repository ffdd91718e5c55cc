// What all browser tests share: one gateway, one browser, one operator who has signed in once.
import { afterAll, beforeAll } from 'bun:test';
import type { Browser, BrowserContext, Cookie } from 'playwright-core';
import { freePort } from '../free-port.ts';
import { sharedGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { CLIENT } from './identity-provider.ts';
import { launchChromium, openContext, visit } from './visit.ts';
import type { Visit } from './visit.ts';

export interface Stage {
  gateway: () => Gateway;
  /** Where the identity provider of the house would be. */
  issuer: string;
  /** Somebody the gateway has never seen. */
  stranger: () => Promise<Visit>;
  /** The operator, in a new tab of a browser that has been here before. */
  operator: () => Promise<Visit>;
  /** From now on the operator is whoever has these cookies. */
  signedIn: (cookies: Cookie[]) => Promise<void>;
}

export const LIMIT_MS = 120_000;

export function setStage(): Stage {
  const issuer = `http://127.0.0.1:${freePort()}`;
  const port = freePort();
  const gateway = sharedGateway({
    env: {
      PORT: String(port),
      TRIVIUM_PUBLIC_URL: `http://127.0.0.1:${port}`,
      TRIVIUM_OIDC_ISSUER: issuer,
      TRIVIUM_OIDC_CLIENT_ID: CLIENT.id,
      TRIVIUM_OIDC_CLIENT_SECRET: CLIENT.secret,
      TRIVIUM_OIDC_NAME: 'Example Works',
    },
  });
  let browser: Browser;
  let desk: BrowserContext;
  beforeAll(async () => {
    browser = await launchChromium();
    desk = await openContext(browser);
  }, LIMIT_MS);
  afterAll(() => browser.close());
  return {
    gateway,
    issuer,
    operator: () => visit(desk),
    signedIn: (cookies) => desk.addCookies(cookies),
    stranger: () => visit(browser),
  };
}
