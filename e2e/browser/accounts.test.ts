// Keys, the playground, money and people in a real browser, as operator and as member.
import { beforeAll } from 'bun:test';
import { keyScenes } from './key-scenes.ts';
import { setUpOperator } from './operator-api.ts';
import { limitMs, setStage } from './stage.ts';
import { hasBrowser } from './visit.ts';
import { workbenchScenes } from './workbench-scenes.ts';

const stage = setStage({
  TRIVIUM_PUBLIC_URL: undefined,
  TRIVIUM_OIDC_ISSUER: undefined,
  TRIVIUM_OIDC_CLIENT_ID: undefined,
  TRIVIUM_OIDC_CLIENT_SECRET: undefined,
  TRIVIUM_OIDC_NAME: undefined,
});

beforeAll(async () => {
  if (!hasBrowser) return;
  const program = await setUpOperator(stage.gateway());
  await stage.signedIn(program.cookies);
}, limitMs);

keyScenes(stage);
workbenchScenes(stage);
