// Opens the storage for uploads: a bucket that the settings name, or a folder in the data
// directory.
import { join, resolve } from 'node:path';
import { GatewayError } from '@trivium/contract';
import { type Caller, checkTool, storageFull, totalOf } from '../requests/index.ts';
import { howToTopUp, readBalance } from '../billing/index.ts';
import {
  makeLengthReader,
  openFileBucket,
  openFileFolder,
  type UploadContext,
  makeReceiving,
} from '../uploads/index.ts';
import type { AppContext } from './context.ts';

export function openUploads(
  context: AppContext,
  secret: string,
  ownUrl: () => string,
): UploadContext {
  const { settings, database, clock, log, writes, stored } = context;
  const { bucket, data_dir } = settings;
  return {
    database,
    clock,
    log,
    secret,
    settings,
    ownUrl,
    files: bucket ? openFileBucket(bucket) : openFileFolder(join(resolve(data_dir), 'uploads')),
    lengths: makeLengthReader(),
    countGateways: context.ledger.countGateways,
    hasRoom: writes.hasRoom,
    checkCaller: (caller) => checkUploader(context, caller),
    stored,
    receiving: makeReceiving(),
  };
}

/**
 * An upload is stored before it is paid for, so only a caller who could transcribe it may send it.
 */
async function checkUploader(context: AppContext, caller: Caller): Promise<void> {
  checkTool(caller.policy, 'transcription');
  const { balance_usd: balance } = await readBalance(context, caller);
  if (balance <= 0) {
    const topUp = howToTopUp(caller.account_id, context.dashboardUrl);
    throw new GatewayError(
      'insufficient_credits',
      'The balance of this account is used up, so it cannot transcribe a recording. ' +
        `Have an operator top up the account: ${topUp}`,
      { balance_usd: balance },
    );
  }
  const { stored } = context;
  const maxBytes = stored.maxBytes(caller);
  if (totalOf(await stored.read(caller.account_id)) >= maxBytes) throw storageFull(maxBytes);
}
