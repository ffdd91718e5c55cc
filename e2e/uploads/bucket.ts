// A real server that speaks S3, with one bucket in a folder.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface S3Server {
  run: () => Promise<{ port: number }>;
  close: () => Promise<void>;
  /** It is an application of Koa. */
  middleware: ((context: Asked, next: () => Promise<void>) => Promise<void>)[];
}
type S3Constructor = new (options: object) => S3Server;

interface Asked {
  method: string;
  query: Record<string, string>;
  headers: Record<string, string | undefined>;
  status: number;
  body: unknown;
}

const bucket = 'recordings';
const folder = 'trivium';
const objectFile = /\._S3rver_object$/;

export type Bucket = AsyncDisposable & {
  /** The settings of a gateway that stores its uploads here. */
  env: Record<string, string>;
  host: string;
  /** The names of the objects below the folder of the gateway. */
  list: () => string[];
  /** The keys of uploads in parts that were not completed. */
  unfinished: () => string[];
  /** Answers everything with a 503 from now on, or works again. */
  fail: (fails: boolean) => void;
  /** Makes everything in the bucket as old as this. */
  age: (ms: number) => void;
};

export async function startBucket(): Promise<Bucket> {
  // The package has no types.
  const S3rver = createRequire(import.meta.url)('s3rver') as S3Constructor;
  const directory = mkdtempSync(join(tmpdir(), 'trivium-bucket-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  const parts = partsIn(join(directory, bucket, '._S3rver_uploads'));
  // Before its routes, which are the last.
  let fails = false;
  server.middleware.splice(-1, 0, async (asked, next) => {
    if (fails) asked.status = 503;
    else await parts.serve(asked, next);
  });
  const { port } = await server.run();
  const host = `127.0.0.1:${port}`;
  const place = join(directory, bucket, folder);
  return {
    host,
    env: {
      TRIVIUM_S3_URL: `http://${host}/${bucket}/${folder}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    list: () =>
      filesIn(place).flatMap((name) => (objectFile.test(name) ? name.replace(objectFile, '') : [])),
    fail: (to) => void (fails = to),
    unfinished: () => parts.list().map(({ key }) => key),
    age: (ms) => {
      const time = new Date(Date.now() - ms);
      for (const name of filesIn(place)) utimesSync(join(place, name), time, time);
      parts.age(time);
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The server removes a folder with its last object, at any moment. */
function filesIn(place: string): string[] {
  try {
    return readdirSync(place, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The server has no list of uploads in parts and cannot abort one; their folders are its own. */
function partsIn(place: string) {
  const list = () =>
    (existsSync(place) ? readdirSync(place) : []).flatMap((id) => {
      const file = join(place, id, 'key');
      // The server writes the file after it has made the folder.
      return existsSync(file)
        ? [{ id, key: readFileSync(file, 'utf8'), at: statSync(file).mtime }]
        : [];
    });
  return {
    list,
    age: (time: Date) => {
      for (const { id } of list()) utimesSync(join(place, id, 'key'), time, time);
    },
    serve: async (asked: Asked, next: () => Promise<void>) => {
      const { method, query, headers } = asked;
      const isList = method === 'GET' && 'uploads' in query;
      if (!isList && !(method === 'DELETE' && 'uploadId' in query)) return next();
      if (!headers['authorization']?.startsWith('AWS4-HMAC-SHA256 Credential=S3RVER/')) {
        asked.status = 403;
      } else if (isList) {
        const { prefix = '' } = query;
        const found = list().filter(({ key }) => key.startsWith(prefix));
        const Upload = found.map(({ id, key, at }) => ({
          ...{ Key: key, UploadId: id, Initiated: at.toISOString() },
        }));
        asked.body = { ListMultipartUploadsResult: { IsTruncated: false, Upload } };
      } else {
        rmSync(join(place, query['uploadId'] ?? ''), { recursive: true });
        asked.status = 204;
      }
    },
  };
}
