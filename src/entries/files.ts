// `data-client-auth/files`: images, downloads and uploads behind a login.
export { AuthImage, type AuthImageProps } from '../files/AuthImage.js';
export { FileRequestError } from '../files/sendFile.js';
export type { FileState } from '../files/sharedFiles.js';
export { useDownload, type Download, type DownloadOptions } from '../files/useDownload.js';
export { useFile } from '../files/useFile.js';
export type { OnProgress, Transfer, TransferOptions } from '../files/useTransfer.js';
export { useUpload, type Upload, type UploadBody, type UploadOptions } from '../files/useUpload.js';
