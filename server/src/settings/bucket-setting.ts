// TRIVIUM_S3_URL and the usual variables for S3 credentials.
import { z } from 'zod';

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
    .optional()
    .describe(
      'store uploads in a bucket: `s3://bucket/folder`, or `https://host/bucket/folder` for other ' +
        'S3-compatible storage; required for several gateways',
    ),
  AWS_ACCESS_KEY_ID: z.string().optional().describe('the access key of the bucket'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('its secret'),
  AWS_SESSION_TOKEN: z.string().optional().describe('the session token of temporary credentials'),
  AWS_REGION: z.string().optional().describe('the region of the bucket'),
};

export type BucketSettings = NonNullable<ReturnType<typeof readBucket>>;

export function readBucket(v: z.output<z.ZodObject<typeof bucketVariables>>) {
  const { TRIVIUM_S3_URL: place, AWS_REGION: region, AWS_SESSION_TOKEN: sessionToken } = v;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = v;
  if (!place || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return {
    ...place,
    access_key_id: accessKeyId,
    secret_access_key: secretAccessKey,
    ...(region === undefined ? {} : { region }),
    ...(sessionToken === undefined ? {} : { session_token: sessionToken }),
  };
}

interface Place {
  /** Undefined for Amazon's own endpoint. */
  endpoint?: string;
  bucket: string;
  /** Put before the name of every file. Empty, or ends with a slash. */
  prefix: string;
}

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
