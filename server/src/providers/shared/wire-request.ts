// One request to a vendor as data, before it is sent.
import type { Warning } from '@trivium/contract';

export type Value = string | number | boolean;
/** A list repeats its parameter, once for each value. */
export type Query = Record<string, Value | readonly Value[] | undefined>;

/** How a file is described to a vendor. */
export interface WireFile {
  type: string;
  name: string;
}

/** One call to a vendor, before the caller's own options are merged in. */
export interface WireRequest {
  host?: string;
  method: 'GET' | 'POST';
  path: string;
  query?: Query;
  body?: Record<string, unknown>;
  /** Sent as a multipart form instead of a JSON body. A list repeats its field. */
  form?: Query;
  /** The recording itself, which the gateway streams as the body, or as this field of the form. */
  file?: WireFile & { field?: string };
  headers?: Record<string, string>;
  /**
   * What is lost when the request is repeated in another form. A warning names it if that repeat is
   * answered.
   */
  warning?: Warning;
}
