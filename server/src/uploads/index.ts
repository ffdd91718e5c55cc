// The parts of uploads that other modules may use.
export type { UploadContext } from './context.ts';
export { openFileBucket } from './file-bucket.ts';
export { FilesUnavailable, openFileFolder, type StoredFile } from './file-store.ts';
export { makeLengthReader } from './read-length.ts';
export {
  makeReceiving,
  maxUploadBytes,
  requestUploadLifeMs,
  slowestBytesPerSecond,
  tooLarge,
  uploadLifeMs,
  whileReceiving,
} from './receive-upload.ts';
export { type StoredUpload, uploadBytes } from './store/uploads.ts';
export {
  audioUrl,
  describeUpload,
  filesPath,
  isFilesUrl,
  openAddress,
  openUpload,
  readUpload,
  releaseUpload,
  removeUpload,
  startSweepingUploads,
  uploadAt,
} from './stored-uploads.ts';
