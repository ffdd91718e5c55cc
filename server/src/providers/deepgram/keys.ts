// Which keys Deepgram may name as the sender of a callback. They are found by listing the keys of
// the project, if our key has permission to do that.
import { z } from 'zod';
import type { Reply } from '../../upstream/core/index.ts';
import type { Discovery, VendorSettings } from '../shared/transcribe-product.ts';

export const discovery = { first, next };

const setting = 'DEEPGRAM_KEY_ID';

function first({ extras }: VendorSettings): Discovery {
  if (setting in extras) return { kind: 'over', found: {} };
  const projectId = extras['DEEPGRAM_PROJECT_ID'];
  if (projectId !== undefined) return askKeys(projectId);
  return { kind: 'ask', wire: { method: 'GET', path: '/v1/projects' }, state: 'projects' };
}

function next(reply: Reply, state: unknown): Discovery {
  if (reply.status >= 300) return unknown(`its keys could not be listed (status ${reply.status})`);
  if (state === 'projects') {
    const projects = Projects.safeParse(reply.body).data?.projects ?? [];
    // The answer names the project of the key. Without that, the project is certain only if there
    // is just one.
    const named = reply.headers.get('dg-project-id');
    const [only] = projects.length === 1 ? projects : [];
    const projectId = named ?? only?.project_id;
    return projectId === undefined
      ? unknown('its project could not be determined')
      : askKeys(projectId);
  }
  const keys = Keys.safeParse(reply.body).data?.api_keys ?? [];
  if (keys.length === 0) return unknown('no key was listed');
  const ids = keys.map(({ api_key }) => api_key.api_key_id);
  const message = `callbacks must name one of its project's keys (${ids.length} found)`;
  return { kind: 'over', found: { [setting]: ids.join(',') }, message };
}

const Projects = z.object({ projects: z.array(z.object({ project_id: z.string().min(1) })) });
const Keys = z.object({
  api_keys: z.array(z.object({ api_key: z.object({ api_key_id: z.string().min(1) }) })),
});

function askKeys(projectId: string): Discovery {
  const path = `/v1/projects/${encodeURIComponent(projectId)}/keys`;
  return { kind: 'ask', wire: { method: 'GET', path }, state: 'keys' };
}

function unknown(why: string): Discovery {
  const proof = `callbacks are authenticated only by their address; set ${setting} for stronger proof`;
  const message = `${why}, so ${proof}`;
  return { kind: 'over', found: {}, message };
}
