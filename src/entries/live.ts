// `data-client-auth/live`: live data that follows the session, by WebSocket or server-sent events.
export { liveManager, type LiveOptions, type LiveToken } from '../live/liveManager.js';
export { eventStream, type StreamEvent } from '../live/eventStream.js';
export type { LiveClose, LiveSource } from '../live/LiveSource.js';
export { observeLive, type ObservedLive } from '../live/observeLive.js';
