/** Bundlers replace `process.env.NODE_ENV`, as they do in data-client. */
declare const process: { env: { NODE_ENV?: string } };

/** True outside of production builds. Bundlers drop what is only for development. */
export const isDevelopment = process.env.NODE_ENV !== 'production';
