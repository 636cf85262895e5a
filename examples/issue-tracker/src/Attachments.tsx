import { useController } from '@data-client/react';
import { Can } from 'data-client-auth/permissions';
import { AuthImage, useDownload, useUpload } from 'data-client-auth/files';
import { Issues, type Issue } from './issues';

const IMAGE = /\.(png|jpe?g|gif|webp|svg)$/i;

/** The files of an issue: images and downloads behind the login, and an upload for those who may change the issue. */
export function Attachments({ issue }: { issue: Issue }) {
  const address = `/api/issues/${issue.id}/attachments`;
  const { download, error } = useDownload();
  return (
    <section aria-label="Attachments">
      <ul className="attachments">
        {issue.attachments.map(({ id, name }) => (
          <li key={id}>
            {IMAGE.test(name) && <AuthImage src={`${address}/${id}`} alt="" width={64} height={64} />}
            <button type="button" className="dca-button" onClick={() => void download(`${address}/${id}`)}>
              Download {name}
            </button>
          </li>
        ))}
      </ul>
      {error && <p role="alert">{error.message}</p>}
      <Can action="update" on={issue}>
        <Attach issue={issue} address={address} />
      </Can>
    </section>
  );
}

function Attach({ issue, address }: { issue: Issue; address: string }) {
  const controller = useController();
  const get = Issues.useGet();
  const { upload, isRunning, progress, error, cancel } = useUpload();
  const attach = async (file: File) => {
    const answer = await upload(`${address}?${new URLSearchParams({ name: file.name })}`, file, {
      headers: { 'Content-Type': 'application/octet-stream' },
      // Then there is progress with a cookie and a CSRF token, too.
      neverRedirects: true,
    });
    await controller.setResponse(get, { id: issue.id }, (await answer.json()) as Issue);
  };
  return (
    <div className="actions">
      <label className="dca-button">
        Attach a file{' '}
        <input
          type="file"
          disabled={isRunning}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            // `error` has the failure.
            if (file) attach(file).catch(() => undefined);
            target.value = '';
          }}
        />
      </label>
      {isRunning && <progress aria-label="Upload" {...(progress !== undefined && { value: progress })} />}
      {isRunning && (
        <button type="button" className="dca-button" onClick={cancel}>
          Cancel
        </button>
      )}
      {error && <p role="alert">{error.message}</p>}
    </div>
  );
}
