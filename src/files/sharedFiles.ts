import type { BoundSession } from '../endpoints/boundSession.js';
import { getOrCreate } from '../getOrCreate.js';
import { isDevelopment } from '../isDevelopment.js';
import { warnOnce } from '../warnOnce.js';
import { fetchFile, sendFile } from './sendFile.js';

export interface FileState {
  /** An address for `<img>` and `<video>`, good while a component uses the file. Undefined until the file is here. */
  readonly url: string | undefined;
  readonly blob: Blob | undefined;
  readonly error: Error | undefined;
}

export const NO_FILE: FileState = { url: undefined, blob: undefined, error: undefined };

/** A file that one component uses, or many. */
interface SharedFile {
  state: FileState;
  readonly listeners: Set<() => void>;
  /** Aborted when no component uses the file any more, or its identity ends. */
  readonly end: AbortController;
}

export type SharedFiles = ReturnType<typeof createSharedFiles>;

const byIdentity = new WeakMap<AbortSignal, SharedFiles>();

/** The files of the identity that the screen shows; undefined when that has ended. */
export function filesOf(bound: BoundSession): SharedFiles | undefined {
  if (bound.end.aborted) return undefined;
  const identity = bound.session.getIdentitySignal();
  return getOrCreate(byIdentity, identity, () => createSharedFiles(bound, identity));
}

/** One request and one object URL for each address, however many components use it. */
function createSharedFiles(bound: BoundSession, identity: AbortSignal) {
  const files = new Map<string, SharedFile>();
  // Called before the next user is shown.
  identity.addEventListener('abort', () => files.forEach(({ end }) => end.abort()), { once: true });

  function load(address: string): SharedFile {
    const end = new AbortController();
    const file: SharedFile = { state: NO_FILE, listeners: new Set(), end };
    const show = (state: Partial<FileState>) => {
      if (end.signal.aborted) return;
      file.state = { ...NO_FILE, ...state };
      file.listeners.forEach(listener => listener());
    };
    end.signal.addEventListener('abort', () => {
      files.delete(address);
      if (file.state.url !== undefined) URL.revokeObjectURL(file.state.url);
      file.state = NO_FILE;
    });
    sendFile(bound, address, { signal: end.signal }, fetchFile)
      .then(response => response.blob())
      .then(
        blob => {
          if (!end.signal.aborted) show({ blob, url: URL.createObjectURL(inert(blob)) });
        },
        (error: Error) => {
          if (isDevelopment && !end.signal.aborted) warnOnce(`The file ${address} was not shown. ${error.message}`);
          show({ error });
        },
      );
    return file;
  }

  return {
    get: (address: string | null | undefined): FileState => files.get(address!)?.state ?? NO_FILE,
    /** Loads the file with its first user. Returns what ends the use. */
    use(address: string, listener: () => void): () => void {
      if (identity.aborted) return () => {};
      const file = getOrCreate(files, address, () => load(address));
      file.listeners.add(listener);
      return () => {
        file.listeners.delete(listener);
        // In the same commit, another component may begin to use it.
        queueMicrotask(() => {
          if (file.listeners.size === 0) file.end.abort();
        });
      };
    },
  };
}

/** A script in a file would run as the app's own where its object URL is opened in a frame or a window. Of an `<img>`, an SVG runs none. */
function inert(blob: Blob): Blob {
  return /html|(?<!svg)[/+]xml/i.test(blob.type) ? blob.slice(0, blob.size, 'text/plain') : blob;
}
