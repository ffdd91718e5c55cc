// TRIVIUM_S3_URL and the usual variables for S3 credentials.
import { z } from 'zod';

export interface BucketSettings {
  /** Undefined for Amazon's own endpoint. */
  endpoint?: string;
  bucket: string;
  /** Put before the name of every file. Empty, or ends with a slash. */
  prefix: string;
  region?: string;
  access_key_id: string;
  secret_access_key: string;
  session_token?: string;
}

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

export const bucketVariables = {
  TRIVIUM_S3_URL: z
    .string()
    .transform((text, context) => {
      const place = placeOf(text);
      if (place) return place;
      context.addIssue('must be s3://bucket or https://host/bucket, and may end with a folder');
      return z.NEVER;
    })
    .optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_REGION: z.string().optional(),
};

type Variables = z.infer<z.ZodObject<typeof bucketVariables>>;

export function readBucket(variables: Variables): BucketSettings | undefined {
  const { TRIVIUM_S3_URL, AWS_REGION, AWS_SESSION_TOKEN } = variables;
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = variables;
  if (!TRIVIUM_S3_URL || AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined) {
    return undefined;
  }
  return {
    ...TRIVIUM_S3_URL,
    access_key_id: AWS_ACCESS_KEY_ID,
    secret_access_key: AWS_SECRET_ACCESS_KEY,
    ...(AWS_REGION === undefined ? {} : { region: AWS_REGION }),
    ...(AWS_SESSION_TOKEN === undefined ? {} : { session_token: AWS_SESSION_TOKEN }),
  };
}

type Place = Pick<BucketSettings, 'endpoint' | 'bucket' | 'prefix'>;

function placeOf(text: string): Place | undefined {
  const url = URL.parse(text);
  if (!url || url.username !== '' || url.search !== '' || url.hash !== '') return undefined;
  if (url.protocol === 's3:') return named(url.host, url.pathname.split('/'));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  const [, bucket = '', ...folders] = url.pathname.split('/');
  const place = named(bucket, folders);
  return place && { ...place, endpoint: url.origin };
}

function named(bucket: string, folders: readonly string[]): Place | undefined {
  if (!bucketName.test(bucket)) return undefined;
  return { bucket, prefix: folders.flatMap((name) => (name === '' ? [] : [`${name}/`])).join('') };
}
