import { useEffect, useState } from 'react';
import { AuthImage, useDownload, useFile, useUpload, type Download, type Upload } from '../../../src/entries/files.js';
import { useAuth, type Session } from '../../../src/index.js';

declare global {
  interface Window {
    /** What a test may call of the screen that is mounted now. */
    files: Pick<Download, 'download'> &
      Pick<Upload, 'upload'> & { cancel: () => void; show: (avatars: string[]) => void };
    /** The objects URLs that were made, and those that were revoked, in their order. */
    objectUrls: { made: string[]; revoked: string[] };
  }
}

/** Images, a download and an upload; the state of each in an element of its own. */
export default function FilesScreen() {
  const { status, user, login } = useAuth<Session<{ id: string }, [{ username: string }]>>();
  return (
    <>
      <p id="who">{[status, user?.id].filter(Boolean).join(' ')}</p>
      {['ada', 'grace'].map(username => (
        <button key={username} type="button" onClick={() => void login({ username })}>
          Sign in as {username}
        </button>
      ))}
      {status === 'authenticated' && <Files />}
    </>
  );
}

function Files() {
  const { download, ...down } = useDownload();
  const { upload, ...up } = useUpload();
  const [avatars, show] = useState<string[]>([]);
  const { cancel: cancelDownload } = down;
  const { cancel: cancelUpload } = up;
  useEffect(() => {
    const cancel = () => {
      cancelDownload();
      cancelUpload();
    };
    window.files = { download, upload, show, cancel };
  }, [download, upload, cancelDownload, cancelUpload]);
  return (
    <>
      <output id="download">{stateOf(down)}</output>
      <output id="upload">{stateOf(up)}</output>
      {avatars.map((src, index) => (
        <AuthImage key={index} src={src} alt={`Avatar ${index}`} width={20} height={20} />
      ))}
      <FileText address={avatars[0]} />
    </>
  );
}

/** The state of a file, also of one that cannot be shown. */
function FileText({ address }: { address: string | undefined }) {
  const { blob, error } = useFile(address);
  return <output id="file">{error ? `${error.name}: ${error.message}` : blob?.type}</output>;
}

function stateOf({ isRunning, progress, error }: Pick<Download, 'isRunning' | 'progress' | 'error'>): string {
  return [isRunning ? 'running' : 'idle', progress !== undefined && `${progress * 100} %`, error?.message]
    .filter(Boolean)
    .join(' ');
}
