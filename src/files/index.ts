// `data-client-auth/files`: images, downloads and uploads behind a login.
export { AuthImage, type AuthImageProps } from './AuthImage.js';
export { FileRequestError } from './sendFile.js';
export type { FileState } from './sharedFiles.js';
export { useDownload, type Download, type DownloadOptions } from './useDownload.js';
export { useFile } from './useFile.js';
export type { OnProgress, Transfer, TransferOptions } from './useTransfer.js';
export { useUpload, type Upload, type UploadBody, type UploadOptions } from './useUpload.js';
