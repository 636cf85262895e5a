// `data-client-auth/live`: live data that follows the session, by WebSocket or server-sent events.
export { liveManager, type LiveOptions, type LiveToken } from './liveManager.js';
export { eventStream, type StreamEvent } from './eventStream.js';
export type { LiveClose, LiveSource } from './LiveSource.js';
export { observeLive, type ObservedLive } from './observeLive.js';
