// An upload that was received in full.

export interface StoredUpload {
  id: string;
  account_id: string;
  /** Its media type, as the gateway recognised it. */
  type: string;
  bytes: number;
  created_at: number;
  expires_at: number;
}

/** How long it is kept, unless a job needs it. */
export const uploadLifeMs = 24 * 60 * 60_000;
