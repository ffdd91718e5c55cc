// The pages that people leave open: how they look, and how they stay up to date.
import { beforeAll } from 'bun:test';
import { chartScenes } from './chart-scenes.ts';
import { liveScenes } from './live-scenes.ts';
import { logScenes } from './log-scenes.ts';
import { looksScenes } from './looks-scenes.ts';
import { setUpOperator } from './operator-api.ts';
import type { Operator } from './operator-api.ts';
import { limitMs, setStage } from './stage.ts';
import { hasBrowser } from './visit.ts';

const stage = setStage({
  TRIVIUM_PUBLIC_URL: undefined,
  TRIVIUM_OIDC_ISSUER: undefined,
  TRIVIUM_OIDC_CLIENT_ID: undefined,
  TRIVIUM_OIDC_CLIENT_SECRET: undefined,
  TRIVIUM_OIDC_NAME: undefined,
});
let program: Operator;

beforeAll(async () => {
  if (!hasBrowser) return;
  program = await setUpOperator(stage.gateway());
  await stage.signedIn(program.cookies);
}, limitMs);

looksScenes(stage, () => program);
chartScenes(stage);
logScenes(stage, () => program);
liveScenes(stage, () => program);
