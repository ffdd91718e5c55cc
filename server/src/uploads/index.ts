// The parts of uploads that other modules may use.
export { audioUrl, filesPath, isFilesUrl, uploadAt } from './audio-url.ts';
export type { UploadContext } from './context.ts';
export { openFileBucket } from './file-bucket.ts';
export { openFileFolder } from './file-folder.ts';
export { FilesUnavailable, type StoredFile } from './file-store.ts';
export { makeLengthReader } from './read-length.ts';
export {
  describeUpload,
  openAddress,
  openUpload,
  readUpload,
  releaseUpload,
  removeUpload,
} from './read-upload.ts';
export { makeReceiving, maxUploadBytes, tooLarge, whileReceiving } from './receive-upload.ts';
export { startSweepingUploads } from './sweep-uploads.ts';
export { uploadBytes } from './store/uploads.ts';
