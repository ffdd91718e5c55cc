// The pure part of uploads that other modules may use.
export {
  requestUploadLifeMs,
  slowestBytesPerSecond,
  type StoredUpload,
  uploadLifeMs,
} from './upload.ts';
