// A real server that speaks S3, with one bucket in a folder.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface S3Server {
  run: () => Promise<{ port: number }>;
  close: () => Promise<void>;
}
type S3Constructor = new (options: object) => S3Server;

const bucket = 'recordings';
const folder = 'trivium';
const objectFile = /\._S3rver_object$/;

export type Bucket = AsyncDisposable & {
  /** The settings of a gateway that stores its uploads here. */
  env: Record<string, string>;
  host: string;
  /** The names of the objects below the folder of the gateway, with what is left of uploads. */
  list: () => string[];
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
  const { port } = await server.run();
  const host = `127.0.0.1:${port}`;
  return {
    host,
    env: {
      TRIVIUM_S3_URL: `http://${host}/${bucket}/${folder}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    list: () => {
      const place = join(directory, bucket, folder);
      if (!existsSync(place)) return [];
      const names = readdirSync(place, { recursive: true, encoding: 'utf8' });
      return names.flatMap((name) => (objectFile.test(name) ? name.replace(objectFile, '') : []));
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
